"""brassspec fmt"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from brassspec.cli.frame import Answer, verb
from brassspec.cli.render import plural
from brassspec.formats import InputError
from brassspec.formats.envelope import Result, Verdict
from brassspec.formats.plain import Plain
from brassspec.formats.reading import name_of, read_bytes, reason
from brassspec.formats.writing import put
from brassspec.grammar.errors import Problem, SpecError
from brassspec.grammar.printer import format_text


@verb(
    example="""brassspec fmt my-variant.brass
brassspec fmt --check specs/*/*.brass
brassspec fmt - < my-variant.brass"""
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Write nothing; name the files that are not formatted.")
def fmt(files: tuple[str, ...], check: bool) -> Answer:
    """Formats spec files: spaces, indentation, tables in columns. What they say, and every comment, stays.

    FILE is - for standard input; the text then goes to standard output. If a file has errors, none is written.
    Exit code with --check: 1 if a file is not formatted.
    """
    if "-" in files and len(files) > 1:
        raise click.UsageError("standard input (-) can't be formatted together with files")
    texts = {file: _read(file) for file in dict.fromkeys(files)}
    formatted = _formatted(texts)
    changed = [file for file in texts if formatted[file] != texts[file]]
    if not check:
        for file in changed:
            if file != "-":
                _write(file, formatted[file])
    kind = "not_formatted" if check else "formatted"
    findings: list[Plain] = [{"kind": kind, "file": name_of(file)} for file in changed]
    if "-" in texts and not check:
        findings = [{"kind": kind, "file": name_of("-"), "text": formatted["-"]}]
    result = Result(
        "fmt",
        Verdict.FAILED if check and changed else Verdict.OK,
        counts={"files": len(texts), "changed": len(changed)},
        findings=tuple(findings),
    )
    return Answer(result, _lines(texts, changed, check, formatted.get("-")))


def _lines(files: dict[str, str], changed: list[str], check: bool, text: str | None) -> Iterator[str]:
    if text is not None and not check:
        click.echo(text.encode("utf-8"), nl=False)  # as bytes: the same whatever the locale
        return
    did = "not formatted" if check else "formatted"
    for file in changed:
        yield f"{did}: {name_of(file)}"
    yield f"{plural(len(files), 'file')}, {len(changed)} {did}"


def _read(file: str) -> str:
    try:
        return read_bytes(file).decode("utf-8")
    except UnicodeDecodeError as e:
        raise InputError(f"{name_of(file)}: byte {e.start + 1} is not UTF-8") from None


def _formatted(texts: dict[str, str]) -> dict[str, str]:
    """All texts formatted. Raises SpecError with the errors of all files."""
    found: dict[str, str] = {}
    problems: list[Problem] = []
    sources: dict[str, str] = {}
    for file, text in texts.items():
        try:
            found[file] = format_text(text, name_of(file))
        except SpecError as e:
            problems += e.problems
            sources.update(e.sources)
    if problems:
        raise SpecError(problems, sources)
    return found


def _write(file: str, text: str) -> None:
    """Puts a text in the place of a file's, whole or not at all; a link stays a link, and who may read it what it was."""
    path = Path(os.path.realpath(file))
    if not path.is_file() or not os.access(path, os.W_OK):
        raise InputError(f"{name_of(file)}: can't be written: not a file that may be written")
    try:
        put(path, text.encode("utf-8"), path.stat().st_mode & 0o777)
    except OSError as e:
        raise InputError(f"{name_of(file)}: can't be written: {reason(e)}") from None


command = fmt
