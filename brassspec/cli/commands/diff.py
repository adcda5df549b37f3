"""brassspec diff"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby

import click

from brassspec.checker import diff as differ
from brassspec.checker.diff import Diff, Entry, Witness
from brassspec.checker.related import Row
from brassspec.cli.arguments import players_option, seed_option
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import plural
from brassspec.formats import Plain
from brassspec.formats.envelope import Result, Verdict

MAX_ROWS = 40  # of tables that are shown
LIST = 6  # of longer lists only what differs is shown
MAX_LINES = 30  # of a position, and of what each side says

WORDS = {
    "a_allows": "only A allows it",
    "b_allows": "only B allows it",
    "odds": "other odds",
    "effect": "another outcome",
    "told": "told otherwise",
}


@verb(
    example="""brassspec diff lancashire-2007 lancashire-2007+overbuild_exhausted=either
brassspec diff lancashire-2007 lancashire-2018 --players 4 --json"""
)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@players_option()
@seed_option
@click.option(
    "--games",
    type=click.IntRange(0, 100_000),
    help=f"Play so many at most; unasked {differ.GAMES}, and {differ.MORE_GAMES} where nothing is found and a question is open.",
)
@click.option("--smt2", metavar="DIR", help="Write every question to the solver to this folder, as SMT-LIB.")
def diff(a: str, b: str, players: int | None, seed: int, games: int | None, smt2: str | None) -> Answer:
    """Where two rulesets differ: a position, and a moment of play, for each action, automatic step and chance event.

    What is the same as it is written needs no more. For the rest Z3 finds a position that tells the two apart, as like set-up as
    there is, or proves that none does: among the positions that both can have; then what one alone allows among its own, and other
    outcomes among those of either. Each rule that differs is shown where it decides, or it is proved that it never does. And games
    of both are played, judged by the other at every decision. What only one ruleset keeps in its position may be anything that its
    invariants allow. Every position says where it comes from.

    Without --players the fewest that both are for are looked at, and more where nothing differs with those.
    """
    with Progress("comparing") as progress:
        found = differ.diff(a, b, players, games=games, seed=seed, smt2=smt2, progress=progress)
    result = Result(
        "diff",
        Verdict(found.verdict),
        f"{found.a} {found.b}",
        assurance=assurance(found),
        counts={
            "fewest_players": min(found.players),
            "most_players": max(found.players),
            "transitions": len(found.entries),
            "identical": sum(set(e.assurance.values()) == {differ.IDENTICAL} for e in found.entries),
            "different": sum(e.relation != "equivalent" for e in found.entries),
            "rows": len(found.tables) + len(found.set_up),
            "games": found.games,
            "decisions": found.decisions,
        },
        findings=tuple(findings(found)),
        solver=found.solver,
    )
    return Answer(result, lines(found))


def assurance(found: Diff) -> dict[str, str]:
    """Of each transition that is equivalent as far as is known: the weakest of what is known of it."""
    words = {differ.IDENTICAL: "proved", differ.TESTED: f"{differ.TESTED}({found.games})"}
    out = {}
    for e in found.entries:
        if e.relation == "equivalent":
            weakest = max(e.assurance.values(), key=differ.rank).split(":")[0]
            out[e.name] = words.get(weakest, weakest)
    return out


def findings(found: Diff) -> Iterator[Plain]:
    yield from ({"kind": "row", **asdict(row)} for row in (*found.set_up, *found.tables))
    for side, names in zip(("a", "b", "both"), found.rules, strict=True):
        yield from ({"kind": "rule", "rule": name, "in": side} for name in names)
    for e in found.entries:
        if e.relation != "equivalent" or any(how not in differ.SURE for how in e.assurance.values()):
            yield {"kind": "parted", **{("is" if k == "kind" else k): v for k, v in asdict(e).items()}}


def lines(found: Diff) -> Iterator[str]:
    yield f"A: {found.a}"
    yield f"B: {found.b}"
    proved = [e for e in found.entries if e.relation == "equivalent" and set(e.assurance.values()) <= differ.SURE]
    of = f"of {plural(len(found.entries), 'transition')} {len(proved)} are equivalent"
    yield f"{found.verdict}, for {', '.join(map(str, found.players))} players: {of}"
    yield from rows("set-up", found.set_up)
    yield from rows("tables", found.tables)
    for word, names in zip(("only in A", "only in B", "with another condition"), found.rules, strict=True):
        if names:
            yield f"rules {word}: {', '.join(names)}"
    for side, own in zip("AB", found.own, strict=True):
        if own:
            yield f"only {side} remembers: {', '.join(own)}"
    if found.not_assumed:
        yield f"invariants of B that no position of A fulfils, and that are not assumed: {', '.join(found.not_assumed)}"
    for e in found.entries:
        if e.relation != "equivalent":
            yield ""
            yield from entry_lines(e)
    by_proof = [e.name for e in proved if differ.PROVED in e.assurance.values()]
    yield ""
    yield f"the same as written: {len(proved) - len(by_proof)}" + (
        f"; proved to be equivalent: {', '.join(by_proof)}" if by_proof else ""
    )
    for e in found.entries:
        for kind, how in e.assurance.items():
            if how not in differ.SURE:
                told = f"none found in {plural(found.games, 'game')}" if how == differ.TESTED else how
                yield f"open: {e.name}, {WORDS[kind]}: {told}"
        yield from (
            f"open: {e.name}, for the sake of {r}: {how}" for r, how in e.unused.items() if how != differ.PROVED
        )


def rows(title: str, listed: list[Row]) -> Iterator[str]:
    """The rows that differ; of a table that only one has, how many there are."""
    if listed:
        yield f"{title}: {plural(len(listed), 'row')} differ"
    shown = 0
    for where, group in groupby(listed, key=lambda row: row.where):
        mine = list(group)
        only = [side for side, other in (("A", "b"), ("B", "a")) if not any(getattr(row, other) for row in mine)]
        if only and len(mine) > 1:
            yield f"  {where}: only in {only[0]}, {plural(len(mine), 'row')}"
            continue
        for row in mine[: MAX_ROWS - shown]:
            yield f"  {where} [{row.key}]: {row_line(row)}"
        shown += len(mine)
    if shown > MAX_ROWS:
        yield f"  and {shown - MAX_ROWS} more"


def row_line(row: Row) -> str:
    """Both sides of a row; of long lists what one has more than the other."""
    a, b = (Counter(x.split(", ")) for x in (row.a, row.b))
    if min(a.total(), b.total()) > LIST:
        more = ((side, ", ".join((x - y).elements())) for side, x, y in (("A", a, b), ("B", b, a)))
        return "; ".join(f"{side} has more: {said}" for side, said in more if said)
    return f"A {row.a or '(nothing)'}, B {row.b or '(nothing)'}"


def entry_lines(e: Entry) -> Iterator[str]:
    yield f"{e.kind} {e.name}: {e.relation.replace('+', ', ').replace('_', ' ')}"
    for kind in WORDS:
        if kind in e.smallest:
            yield f"  {WORDS[kind]}; the smallest position found, {e.smallest[kind].origin}:"
            yield from witness_lines(e.smallest[kind])
        if kind in e.played:
            witness = e.played[kind]
            yield f"  {WORDS[kind]}; {witness.origin}" + (f"; then: {witness.move}" if witness.move else "")
            if kind not in e.smallest:
                yield from witness_lines(witness)
    for rule, witness in e.rules.items():
        yield f"  {WORDS[witness.kind]}, for the sake of {rule}; the smallest position found, {witness.origin}:"
        yield from witness_lines(witness)
    for rule, how in e.unused.items():
        if how == differ.PROVED:
            yield f"  never for the sake of {rule}"


def witness_lines(w: Witness) -> Iterator[str]:
    yield from (f"    given {line}" for line in w.lines[:MAX_LINES])
    if len(w.lines) > MAX_LINES:
        yield f"    and {len(w.lines) - MAX_LINES} lines more"
    if w.move:
        yield f"    > {w.move}"
    for side, says in (("A", w.a), ("B", w.b)):
        engine = w.engines.get(side.lower())
        for i, said in enumerate(says[:MAX_LINES]):
            yield f"    {side if i == 0 else ' '}: {said}" + (
                f"  (reference engine: {engine})" if engine and i == 0 else ""
            )


command = diff
