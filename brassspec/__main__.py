"""The program itself: `brassspec`, or `python -m brassspec`. What is here sees to it that Ctrl-C ends it, whenever it comes."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130  # 128 + SIGINT
SOON = 0.01  # seconds


def program() -> NoReturn:
    """Runs the command of the command line and ends the process with its exit code."""
    if hasattr(signal, "setitimer") and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
        signal.signal(signal.SIGALRM, _interrupt)
    try:
        from brassspec.cli.main import main

        code = main()
    except KeyboardInterrupt:  # it came before there was a command, or after
        code = INTERRUPTED
    sys.exit(code)


def _interrupt(_: int, frame: FrameType | None) -> None:
    """Raises KeyboardInterrupt; a little later where a module is just being imported.

    There it would be lost: the interpreter ignores what is raised while it tidies up, and modules catch what they don't know.
    """
    while frame is not None:
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            signal.setitimer(signal.ITIMER_REAL, SOON)
            return
        frame = frame.f_back
    raise KeyboardInterrupt


if __name__ == "__main__":
    program()
