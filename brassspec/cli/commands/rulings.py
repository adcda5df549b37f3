"""brassspec rulings"""

from __future__ import annotations

from collections.abc import Iterator

import click

from brassspec.cli.arguments import ruleset_argument
from brassspec.cli.frame import Answer, verb
from brassspec.cli.render import cited
from brassspec.formats import InputError
from brassspec.formats.envelope import Result, Verdict
from brassspec.grammar.errors import nearest_name
from brassspec.rules.library import Ruling, spec_of, split_ruleset


@verb(
    example="""brassspec rulings lancashire-2007
brassspec rulings lancashire-2007 overbuild_exhausted"""
)
@ruleset_argument
@click.argument("question", required=False)
def rulings(ruleset: str, question: str | None) -> Answer:
    """Where the sources differ or are silent: the questions, their readings, and who holds each.

    A ruleset takes another reading as RULESET+QUESTION=READING.
    """
    name, readings = split_ruleset(ruleset)
    spec = spec_of(name)
    found = list(spec.rulings.values())
    if question is not None:
        if question not in spec.rulings:
            raise InputError(f"{name} has no question {question[:60]}: {nearest_name(question[:60], spec.rulings)}")
        found = [spec.rulings[question]]
    findings = tuple(
        {
            "kind": "ruling",
            "question": r.question,
            "sentence": r.sentence,
            "place": f"{r.file}:{r.line}",
            "default": r.default,
            "readings": [
                {
                    "reading": x.name,
                    "sentence": x.sentence,
                    "holder": x.holder,
                    "cites": [{"source": c.source, "locator": c.locator} for c in x.cites],
                }
                for x in r.readings.values()
            ],
        }
        for r in found
    )
    chosen = {q: readings.get(q, r.default) for q, r in spec.rulings.items()}
    result = Result("rulings", Verdict.OK, ruleset, chosen, counts={"rulings": len(found)}, findings=findings)
    return Answer(result, lines(found, chosen))


def lines(found: list[Ruling], chosen: dict[str, str]) -> Iterator[str]:
    for r in found:
        yield f"{r.question}: {r.sentence}"
        for x in r.readings.values():
            mark = "*" if chosen[r.question] == x.name else " "
            source = f" ({cited(x.cites)})" if x.cites else ""
            yield f"  {mark} {x.name}: {x.sentence} [{x.holder}]{source}"


command = rulings
