"""brassspec rules"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click

from brassspec.cli.arguments import players_option
from brassspec.cli.frame import Answer, verb
from brassspec.cli.render import plural
from brassspec.formats import InputError, Plain
from brassspec.formats.envelope import Result, Verdict
from brassspec.formats.reading import clean
from brassspec.grammar.errors import nearest_name
from brassspec.rules.cache import load_rules
from brassspec.rules.model import Model, Requirement
from brassspec.rules.shipped import shipped_editions


@verb(
    example="""brassspec rules --ruleset lancashire-2007
brassspec rules card.network
brassspec rules --ruleset lancashire-2007 --markdown > rules.md"""
)
@click.argument("rule", required=False)
@click.option("--ruleset", help="Of which ruleset; else of every edition that ships.")
@click.option("--markdown", is_flag=True, help="The whole reference of one ruleset as Markdown, with its scenarios.")
@players_option()
def rules(rule: str | None, ruleset: str | None, markdown: bool, players: int | None) -> Answer:
    """The rule reference: all requirements and exceptions of a ruleset, or one of them in full.

    RULE is a requirement's name, or the part before its dot.
    """
    if markdown:
        if ruleset is None or rule is not None:
            raise InputError("--markdown is for the whole of one ruleset: give --ruleset and no RULE")
        return _markdown(ruleset)
    models = [_model(name, players) for name in (shipped_editions() if ruleset is None else [ruleset])]
    found = {m.ruleset: [r for r in m.requirements.values() if _named(r, rule)] for m in models}
    if not any(found.values()):
        known = {r for m in models for r in m.requirements}
        raise InputError(f"there is no rule {clean(repr(rule), 60)}: {nearest_name(str(rule)[:60], known)}")
    whole = rule is not None and all(r.name == rule for rs in found.values() for r in rs)
    result = Result(
        "rules",
        Verdict.OK,
        ruleset or "",
        models[0].readings if len(models) == 1 else {},
        counts={"rulesets": len(models), "rules": sum(map(len, found.values()))},
        findings=tuple(finding(m, r) for m in models for r in found[m.ruleset]),
    )
    return Answer(result, _lines(models, found, whole))


def _markdown(ruleset: str) -> Answer:
    from brassspec.checker.reference import reference  # runs the scenarios

    text = reference(ruleset)
    result = Result("rules", Verdict.OK, ruleset, findings=({"kind": "markdown", "text": text},))
    return Answer(result, [text.rstrip()])


def _model(name: str, players: int | None) -> Model:
    edition = shipped_editions().get(name.split("+")[0])
    if edition is None:
        raise InputError(f"there is no ruleset {clean(repr(name), 60)}: {nearest_name(name[:60], shipped_editions())}")
    return load_rules(name, edition.players[0] if players is None else players).model


def _named(r: Requirement, rule: str | None) -> bool:
    return rule is None or r.name == rule or r.name.startswith(f"{rule}.")


def finding(model: Model, r: Requirement) -> Plain:
    """A rule as a finding; `exceptions` are the names of those to it."""
    return {
        "kind": r.kind,
        "ruleset": model.ruleset,
        "name": r.name,
        "sentence": r.sentence,
        "cites": [
            {"source": c.source, "title": model.sources.get(c.source, ""), "locator": c.locator} for c in r.cites
        ],
        "text": r.text,
        "file": r.file,
        "line": r.line,
        "excepts": r.excepts,
        "exceptions": [e.name for e in exceptions(model, r)],
    }


def exceptions(model: Model, r: Requirement) -> list[Requirement]:
    return [e for e in model.requirements.values() if e.excepts == r.name]


def _lines(models: list[Model], found: dict[str, list[Requirement]], whole: bool) -> Iterator[str]:
    for m in models:
        if not found[m.ruleset]:
            continue
        yield f"{m.ruleset}: {plural(len(found[m.ruleset]), 'rule')}"
        for r in found[m.ruleset]:
            yield from _in_full(m, r) if whole else _in_short(r)


def _in_short(r: Requirement) -> Iterator[str]:
    mark = f" (exception to {r.excepts})" if r.excepts else ""
    yield f"  {r.name}{mark}"
    yield from textwrap.wrap(r.sentence, 100, initial_indent="      ", subsequent_indent="      ")


def _in_full(m: Model, r: Requirement) -> Iterator[str]:
    yield f"{r.name}: {r.sentence}"
    if r.excepts:
        yield f"an exception to {r.excepts}: {m.requirements[r.excepts].sentence}"
    yield ""
    yield textwrap.indent(textwrap.dedent(r.text).strip(), "    ")
    yield ""
    for c in r.cites:
        yield f'{c.source}: "{c.locator}" in {m.sources.get(c.source, c.source)}'
    yield f"{r.file}:{r.line}"
    for e in exceptions(m, r):
        yield ""
        yield from _in_full(m, e)


command = rules
