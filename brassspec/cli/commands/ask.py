"""brassspec ask"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from brassspec.checker import questions
from brassspec.checker.questions import Answer as Reply
from brassspec.cli.arguments import players_option, read_move_argument
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import event_line
from brassspec.formats import Plain
from brassspec.formats.envelope import Result, Verdict, worst
from brassspec.rules.model import Model

VERDICTS = {
    "legal": Verdict.LEGAL,
    "illegal": Verdict.ILLEGAL,
    "always": Verdict.ALWAYS_LEGAL,
    "never": Verdict.NEVER_LEGAL,
    "depends": Verdict.DEPENDS,
    "unknown": Verdict.UNKNOWN,
    "impossible": Verdict.VACUOUS,
}


@verb(
    example="""brassspec ask question.brass
brassspec ask position.json "yellow builds cotton_mill at oldham.1 with oldham"
brassspec ask question.brass --ruleset lancashire-2007+overbuild_exhausted=either
brassspec ask question.brass --legal-if
brassspec ask partial.brass --assume "era = canal"
brassspec ask game.jsonl --at 60 "yellow passes with ?\""""
)
@click.argument("file", metavar="FILE")
@click.argument("move", required=False)
@click.option("--at", type=click.IntRange(1), help="FILE is a log: ask about the moment before its entry number AT.")
@click.option("--ruleset", help="Ask about this ruleset instead of the one that the question names.")
@click.option("--readings", is_flag=True, help="Also under every other reading: which of them answer otherwise?")
@click.option("--legal-if", is_flag=True, help="Of an illegal move: the smallest changes with which it would be legal.")
@click.option("--assume", multiple=True, metavar="EXPR", help="A condition that holds, whatever is unknown.")
@players_option()
def ask(
    file: str,
    move: str | None,
    at: int | None,
    ruleset: str | None,
    readings: bool,
    legal_if: bool,
    assume: tuple[str, ...],
    players: int | None,
) -> Answer:
    """Answers a question: may this be done, which rule says so, and what would do instead.

    FILE is a question in the words of a scenario (see docs/questions.md), or a position as JSON; then MOVE is due. A move may leave
    parts open (the sources of cubes, a space: "at oldham", a card: "?"): it is legal if some way to make it is. Where the
    question says that parts of the position are unknown, the answer is always, never (by a minimal set of rules), or it
    depends, with a case of each.
    """
    asked = questions.ask(
        file,
        None if move is None else read_move_argument(move),
        at=at,
        ruleset=ruleset,
        players=players,
        legal_if=legal_if,
        assume=assume,
    )
    model = asked.judge.model
    if readings:
        with Progress("other readings") as progress:
            asked = questions.under_readings(asked, progress)
    result = Result(
        "ask",
        worst(VERDICTS[r.verdict] for r in asked.replies),
        model.ruleset,
        model.readings,
        counts={"moves": sum(r.counts.get("moves", 0) for r in asked.replies), "questions": len(asked.replies)},
        findings=(
            *(finding(r) for r in asked.replies),
            *({"kind": "elsewhere", "ruleset": k, "verdict": v} for k, v in asked.elsewhere.items()),
        ),
    )
    return Answer(result, lines(asked))


def finding(r: Reply) -> Plain:
    return {"kind": "answer", **{k: v for k, v in asdict(r).items() if v not in ("", [], {}, ())}}


def lines(asked: questions.Asked) -> Iterator[str]:
    """One screen for a player."""
    if asked.title:
        yield asked.title
        yield ""
    for r in asked.replies:
        yield from reply_lines(r, asked.judge.model)
    for ruleset, verdict in asked.elsewhere.items():
        yield f"under {ruleset}: {verdict}"
    if asked.readings_asked and not asked.elsewhere:
        yield f"the same under each of the {asked.readings_asked} other readings"


def reply_lines(r: Reply, model: Model) -> Iterator[str]:
    heads = {
        "legal": "Yes, legal",
        "illegal": "No, illegal",
        "always": "Yes: always legal, whatever is unknown",
        "never": "No: never legal, whatever is unknown",
        "depends": "It depends on what is unknown",
        "unknown": "Unknown: a limit was reached",
        "impossible": "Nothing agrees with what the question states",
    }
    yield f"{heads[r.verdict]}{' (after the moves above)' if r.after else ''}: {r.judged or r.move}"
    for reason in r.reasons:
        yield f"  {reason.requirement}: {reason.sentence}"
        if reason.facts:
            yield f"    here: {reason.facts}"
        for cite in reason.cites:
            yield f"    {cite}"
    for name in r.exceptions:
        yield f"  by the exception {name}: {model.requirements[name].sentence}"
    for other in r.others:
        yield f"  nor {other}"
    if len(r.options) == 1 or (r.options and not r.note):
        yield from (f"  {event_line(e, model.told)}" for e in r.options[0].events)
    elif r.options:
        yield f"  {r.note}, among them:"
        yield from (f"    {o.move}" for o in r.options[:6])
        yield "  the first:"
        yield from (f"    {event_line(e, model.told)}" for e in r.options[0].events)
    for word, case in r.completions.items():
        yield f"  {word}, for example ({r.origin}):"
        yield from (f"    {line}" for line in case)
    for i, change in enumerate(r.legal_if):
        yield f"  {'it would be legal' if i == 0 else 'or'} with:"
        for line, was in zip(change.lines, change.instead_of, strict=True):
            yield f"    {line}  (instead of {was.split(' = ', 1)[1]})"
    if r.verdict == "illegal" and r.note:
        yield f"  {r.note}"
    if r.nearby:
        yield "  legal instead:"
        yield from (f"    {m}" for m in r.nearby)
    if r.verdict == "unknown" and r.note:
        yield f"  {r.note}"


command = ask
