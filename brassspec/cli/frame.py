"""What all commands share: --json, the example in --help, the time taken, progress, and how a result is shown."""

from __future__ import annotations

import functools
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

import click

from brassspec.formats.envelope import Result, Verdict

SLOW = 2.0  # seconds after which progress is shown


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command gives: the result for programs, and the lines for people. `notes` go to standard error."""

    result: Result
    lines: Iterable[str]
    notes: Iterable[str] = ()


def verb(example: str) -> Callable[[Callable[..., Answer]], click.Command]:
    """Makes a command of a function that gives an Answer: its name and help are the function's, with an example."""

    def decorate(function: Callable[..., Answer]) -> click.Command:
        @functools.wraps(function)
        def run(as_json: bool, **given: Any) -> int:
            started = time.perf_counter()
            answer = function(**given)
            repro = shlex.join(["brassspec", *_arguments()])
            result = replace(answer.result, seconds=time.perf_counter() - started, repro=repro)
            for note in answer.notes:
                click.echo(note, err=True)
            if as_json:
                click.echo(result.json())
            else:
                for line in answer.lines:
                    click.echo(line)
            return result.exit_code

        flag = click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
        shown = "\b\nExample:\n" + "\n".join(f"  {line}" for line in example.splitlines())
        name = function.__name__.removesuffix("_").replace("_", "-")
        return click.command(name=name, epilog=shown)(flag(run))

    return decorate


def _arguments() -> Sequence[str]:
    """The arguments that this run of the program was given."""
    context = click.get_current_context()
    found: Sequence[str] = context.find_root().meta.get("brassspec.arguments", sys.argv[1:])
    return found


def show_trouble(given: Sequence[str], verdict: Verdict, message: str) -> int:
    """Tells what went wrong, on standard error and, under --json, as the one object there is. Gives the exit code."""
    click.echo(f"brassspec: {message}", err=True)
    if "--json" in given:
        command = next((a for a in given if not a.startswith("-")), "")
        finding = {"kind": "error", "message": message}
        result = Result(command, verdict, findings=(finding,), repro=shlex.join(["brassspec", *given]))
        click.echo(result.json())
    return verdict.exit_code


class Progress:
    """A bar on standard error for what takes longer than two seconds at a terminal; call it with how much is done.

    total: how much there is to do, None where nobody knows.
    """

    def __init__(self, label: str, total: int | None = None) -> None:
        self._label = label
        self._total = total
        self._from = time.monotonic() + SLOW
        self._bar: Any = None
        self._shown = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __call__(self, done: int) -> None:
        if self._shown and time.monotonic() > self._from:
            if self._bar is None:
                from rich.console import Console
                from rich.progress import Progress as Bar

                self._bar = Bar(console=Console(stderr=True), transient=True)
                self._bar.start()
                self._task = self._bar.add_task(self._label, total=self._total)
            self._bar.update(self._task, completed=done)

    def describe(self, label: str, total: int) -> None:
        """What is being done now, and how much there is to do."""
        self._label, self._total = label, total
        if self._bar is not None:
            self._bar.update(self._task, description=label, total=total)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
