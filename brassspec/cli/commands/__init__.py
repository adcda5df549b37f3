"""One file a command: a module `x` here, with a click command named `command`, is `brassspec x`."""
