"""`brassspec`: finds the command, and turns whatever happens into an exit code."""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence

import click

from brassspec import __version__
from brassspec.cli import commands
from brassspec.cli.frame import show_trouble
from brassspec.formats import InputError
from brassspec.formats.envelope import Verdict
from brassspec.formats.reading import clean
from brassspec.grammar.errors import SpecError

BROKEN_PIPE = 141  # 128 + SIGPIPE: whoever read our output has had enough


class Verbs(click.Group):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(m.name for m in pkgutil.iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        found = importlib.import_module(f"{commands.__name__}.{cmd_name}").command
        assert isinstance(found, click.Command)
        return found


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="brassspec", message="%(prog)s %(version)s")
def brassspec() -> None:
    """The rules of the board game Brass as a declarative, executable rulebook.

    A RULESET is an edition, such as lancashire-2007, or one with other readings: NAME+QUESTION=READING+... .

    Exit codes: 0 the good answer; 1 the other answer; 2 wrong input, or a check that checked nothing; 3 an internal
    error; 4 unknown: a limit was reached.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code; nothing but SystemExit of the interpreter itself gets past it.

    With BRASSSPEC_DEBUG=1 in the environment an internal error shows its traceback.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = _run(given)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        # What is still in the buffer goes nowhere, quietly.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def _run(given: list[str]) -> int:
    try:
        with brassspec.make_context("brassspec", list(given)) as context:
            context.meta["brassspec.arguments"] = given
            return int(brassspec.invoke(context) or 0)
    except click.exceptions.Exit as e:
        return e.exit_code
    except click.UsageError as e:
        message = e.format_message()
        if isinstance(e, click.exceptions.NoArgsIsHelpError):
            click.echo(message, err=True)
            return Verdict.INPUT_ERROR.exit_code
        path = e.ctx.command_path if e.ctx else "brassspec"
        return show_trouble(given, Verdict.INPUT_ERROR, f"{clean(message, 500)}\ntry: {path} --help")
    except click.ClickException as e:
        return show_trouble(given, Verdict.INPUT_ERROR, clean(e.format_message(), 500))
    except (InputError, SpecError) as e:
        return show_trouble(given, Verdict.INPUT_ERROR, str(e))
    except (KeyboardInterrupt, click.Abort):
        return show_trouble(given, Verdict.INTERRUPTED, "interrupted")
    except BrokenPipeError:
        raise
    except Exception as e:
        if os.environ.get("BRASSSPEC_DEBUG") == "1":
            import traceback

            traceback.print_exc()
        text = f"internal error: {type(e).__name__}: {clean(str(e))} (BRASSSPEC_DEBUG=1 shows where)"
        return show_trouble(given, Verdict.INTERNAL_ERROR, text)
