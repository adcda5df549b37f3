"""Results of the verbs about games as lines for people and findings for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from brassspec.formats import Event, Outcome, Plain
from brassspec.formats.canonical import digest
from brassspec.formats.documents import write_position
from brassspec.rules.games import Branch, Option
from brassspec.rules.model import Citation, Model


def option_finding(option: Option) -> Plain:
    """A move or chance outcome that can happen."""
    if "chance" in option.taken:
        return {"kind": "chance", "chance": option.taken, "text": option.text, "weight": option.weight}
    return {"kind": "move", "move": option.taken, "text": option.text}


def option_line(option: Option, total: int = 0) -> str:
    return f"{option.text} ({option.weight} of {total})" if "chance" in option.taken else option.text


def branch_finding(branch: Branch) -> Plain:
    """What a move or chance outcome leads to."""
    o = branch.outcome
    assert o.position is not None
    position = write_position(o.position)
    asked = option_finding(branch.option) if branch.option else {}
    told = {
        "exceptions": list(o.exceptions),
        "events": list(o.events),
        "position": position,
        "digest": digest(position),
    }
    return {**asked, "kind": "outcome", **told}


def branch_lines(branch: Branch, total: int, told: dict[str, str]) -> Iterator[str]:
    o = branch.outcome
    assert o.position is not None
    if branch.option:
        yield option_line(branch.option, total)
    for name in o.exceptions:
        yield f"  by the exception {name}"
    for event in o.events:
        yield f"  {event_line(event, told)}"
    yield json.dumps(write_position(o.position), ensure_ascii=False)


def event_line(event: Event, told: dict[str, str]) -> str:
    """An event in the words of the spec, or else by its fields."""
    if event["event"] in told:
        return re.sub(r"\{(\w+)\}", lambda m: str(event[m[1]]), told[event["event"]])
    rest = ", ".join(f"{k} {v}" for k, v in event.items() if k != "event")
    return f"{event['event']}: {rest}" if rest else str(event["event"])


def refusal_findings(model: Model, outcome: Outcome) -> Iterator[Plain]:
    """What a move violates, in rulebook order, and what could not be evaluated."""
    for v in outcome.violated:
        r = model.requirements[v.requirement]
        cites = [{"source": c.source, "locator": c.locator} for c in r.cites]
        yield {"kind": "violation", "requirement": r.name, "sentence": r.sentence, "facts": v.facts, "cites": cites}
    for name in outcome.unevaluated:
        yield {"kind": "not_evaluated", "requirement": name}


def refusal_lines(model: Model, outcome: Outcome) -> Iterator[str]:
    for v in outcome.violated:
        r = model.requirements[v.requirement]
        yield f"  {r.name}: {r.sentence}"
        if v.facts:
            yield f"    here: {v.facts}"
        yield f"    {cited(r.cites)}"
    if outcome.unevaluated:
        yield f"  not evaluated: {', '.join(outcome.unevaluated)}"


def cited(cites: Iterable[Citation]) -> str:
    return "see " + "; ".join(f'{c.source} "{c.locator}"' for c in cites)


def plural(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"
