"""Real games, replayed whole by both opinions."""

from __future__ import annotations

from pathlib import Path

import pytest

from brassspec.checker.opinions import reference
from brassspec.rules.api import Game, game
from tests.records.record import Record, Refused, Replay, read

RECORD = Path(__file__).parent.parent / "data" / "birmingham-2p-wq9gs6.txt"


def links(g: Game) -> dict[str, frozenset[str]]:
    """The places that each line of the board joins."""
    places, lines = g.model.sorts["Place"].members, g.model.sorts["Link"].members
    return {lines[k[0]]: frozenset(places[p] for p in ends) for k, ends in g.model.tables["ends"].rows.items()}


def record(g: Game, text: str | None = None) -> Record:
    return read(text or RECORD.read_text(), links(g))


def test_both_opinions_replay_a_real_game_and_meet_every_checkpoint() -> None:
    g = game("birmingham-2018", 2)
    other = reference("birmingham-2018", 2)
    assert other is not None
    replayed = Replay(record(g), g, other).run()
    assert replayed.lines == 78
    assert replayed.differences == []
    assert replayed.finals == {"yellow": (1, 61, 215), "red": (7, 47, 180)}
    at = g.codec.position(replayed.state).state
    assert (at["phase"], at["standing"]) == ("over", {"yellow": 1, "red": 2})


def test_the_game_without_icons_at_merchants() -> None:
    """Only victory points differ from the record, from the end of the canal era on."""
    ruleset = "birmingham-2018+merchant_icons=none"
    g = game(ruleset, 2)
    replayed = Replay(record(g), g, reference(ruleset, 2)).run()
    assert {p: vp for p, (_, _, vp) in replayed.finals.items()} == {"yellow": 209, "red": 174}
    first, *rest = replayed.differences
    assert first == "37: vp of yellow 39, in the record 41, vp of red 44, in the record 48"
    assert len(rest) == 40
    assert all("money" not in d and "income" not in d and "coal" not in d and "iron" not in d for d in rest)


@pytest.mark.parametrize(
    ("line", "was", "altered"),
    [
        (" 11 P0", "coal@dudley slot=0", "coal@dudley slot=1"),  # works only there
        (" 21 P1", "coal@coventry slot=1", "coal@belper slot=1"),  # the card names Coventry
        (" 35 P1", "burton-on-trent/1 ; redditch", "nuneaton/0 ; redditch"),  # another's brewery, not connected
    ],
)
def test_a_record_that_breaks_a_rule_is_refused_at_its_line(line: str, was: str, altered: str) -> None:
    g = game("birmingham-2018", 2)
    lines = RECORD.read_text().splitlines()
    at = next(i for i, text in enumerate(lines) if text.startswith(line))
    assert was in lines[at]
    lines[at] = lines[at].replace(was, altered)
    with pytest.raises(Refused, match=line.strip()):
        Replay(record(g, "\n".join(lines)), g, None).run()
