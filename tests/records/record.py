"""Records of finished games of Brass: Birmingham, as other programs publish them, replayed move by move.

A record names hands, deck, merchant tiles and every action, but not all of a move: which of two like merchant spaces, in which order cubes
are taken, where coal comes from. Each line is taken as moves in part; all positions that agree with the record so far are carried along.
After each line the record says money, income space, victory points and hand of each seat, and the cubes in the markets: checkpoints,
computed by another program. A checkpoint that no position meets is reported, and the replay goes on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from brassspec.checker.opinions import Opinion
from brassspec.formats import Plain
from brassspec.rules.api import Game
from brassspec.rules.concrete import State

SEATS = ("yellow", "red", "purple", "green")
INDUSTRIES = {
    "iron": "iron_works",
    "coal": "coal_mine",
    "cotton": "cotton_mill",
    "manufacturer": "manufacturer",
    "pottery": "pottery",
    "brewery": "brewery",
}
PLACES = {"farm-south": "farm_brewery_south", "farm-north": "farm_brewery_north"}
GOODS = {"any": "all"}
CARRY = 2_000  # positions that agree with the record so far


class Unreadable(ValueError):
    """A line of a record that is not understood."""


class Refused(ValueError):
    """A line of a record that no move fulfils."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A move in part: its action (or two, `canal|rail`), of some fields the values it may have, and of scouting the three cards."""

    action: str
    fields: dict[str, list[Any]]
    cards: tuple[str, ...] = ()

    def allows(self, move: Plain) -> bool:
        return (
            move["action"] in self.action.split("|")
            and all(move[k] in values for k, values in self.fields.items())
            and (not self.cards or sorted([move["card"], move["second"], move["third"]]) == list(self.cards))
        )


@dataclass(slots=True)
class Line:
    """One action: its moves, what it takes from tiles and merchants (None where the record doesn't say), and what holds after it."""

    number: int
    text: str
    moves: list[Wanted]
    uses: Counter[tuple[str, str]] | None
    levels: dict[str, int]  # slot -> level of the tile built there
    after: dict[str, tuple[int, int, int, int]]  # player -> money, income space, victory points, cards
    coal: int
    iron: int


@dataclass(slots=True)
class Record:
    players: int = 0
    seats: list[str] = field(default_factory=list)
    merchants: dict[str, str] = field(default_factory=dict)  # space -> tile
    hands: list[dict[str, list[str]]] = field(default_factory=list)  # of each era
    aside: list[str] = field(default_factory=list)
    decks: list[list[str]] = field(default_factory=list)  # of each era, the next card first
    lines: list[Line] = field(default_factory=list)
    final: dict[str, tuple[int, int, int]] = field(
        default_factory=dict
    )  # player -> money, income space, victory points


def place(name: str) -> str:
    return PLACES.get(name, name).replace("-", "_")


def slot(name: str) -> str:
    """`birmingham/1`, counted from 0."""
    at, _, number = name.partition("/")
    return f"{place(at)}.{int(number) + 1}"


def player(seat: str) -> str:
    return SEATS[int(seat.removeprefix("P"))]


def card(name: str) -> str:
    kind, _, rest = name.partition("-")
    stem = rest.rpartition("-")[0]
    if kind == "loc":
        return place(stem)
    if kind == "ind":
        return INDUSTRIES.get(stem, "cotton_mill_or_manufacturer")
    if kind == "wild":
        return f"wild_{stem}"
    raise Unreadable(f"no card: {name}")


def industry(name: str) -> str:
    return INDUSTRIES[re.sub(r"\d+$", "", name)]


def read(text: str, links: dict[str, frozenset[str]]) -> Record:
    """A record; `links`: the places that each line of the board joins."""
    record = Record()
    for raw in text.splitlines():
        words = raw.split()
        if not words or raw.startswith("#") or words[0] == "ROUND":
            continue
        head = words[0]
        if head == "ERA-END":
            record.lines[-1].uses = None  # records leave it out there
            continue
        if head == "GAME":
            record.players = int(words[2].removeprefix("players="))
        elif head == "ORDER":
            record.seats = record.seats or [player(w) for w in words[1:]]
        elif head == "MERCHANT":
            tiles = [] if words[2].startswith("(") else words[2:]
            for i, tile in enumerate(tiles, start=1):
                good = tile.removesuffix("*")
                record.merchants[f"{place(words[1])}.{i}"] = GOODS.get(good, good)
        elif head == "HAND":
            if not record.hands or len(record.hands[-1]) == record.players:
                record.hands.append({})
            record.hands[-1][player(words[1])] = [card(w) for w in words[2:]]
        elif head == "FACEDOWN":
            record.aside = [card(w) for w in words[1:]]
        elif head == "DECK":
            record.decks.append([card(w) for w in raw.partition(")")[2].split()])
        elif head == "FINAL":
            for seat, money, income, vp in re.findall(r"(P\d):money=(\d+) space=(\d+) vp=(\d+)", raw):
                record.final[player(seat)] = (int(money), int(income), int(vp))
        elif head.isdigit():
            record.lines.append(read_line(raw, links))
        else:
            raise Unreadable(raw)
    return record


def read_line(raw: str, links: dict[str, frozenset[str]]) -> Line:
    parts = [p.strip() for p in raw.split("||")]
    action, _, used = parts[0].partition(" | ")
    checks = parts[-1]
    number, seat, verb, rest = ([*action.split(maxsplit=3), ""])[:4]
    after = {
        player(s): (int(m), int(i), int(v), int(h))
        for s, m, i, v, h in re.findall(r"(P\d):(-?\d+)/(\d+)/(-?\d+)/(\d+)", checks)
    }
    markets = re.search(r"coal=(\d+) iron=(\d+)", checks)
    if not after or markets is None:
        raise Unreadable(raw)
    return Line(
        int(number),
        raw,
        list(moves_of(verb, rest, player(seat), links)),
        read_uses(used),
        {slot_built(rest): int(level) for level in re.findall(r"level=(\d+)", rest)},
        after,
        int(markets[1]),
        int(markets[2]),
    )


def slot_built(rest: str) -> str:
    found = re.search(r"@(\S+) slot=(\d+)", rest)
    return slot(f"{found[1]}/{found[2]}") if found else ""


def read_uses(text: str) -> Counter[tuple[str, str]]:
    """`uses brewery1 P1@burton-on-trent/1, barrel gloucester/1`: how many, of what, from where."""
    found: Counter[tuple[str, str]] = Counter()
    for kind, count, where in re.findall(r"(brewery|coal|iron)(\d+) P\d@(\S+?)(?:,|$| )", text):
        found[INDUSTRIES[kind], slot(where)] += int(count)
    for where in re.findall(r"barrel (\S+?)(?:,|$| )", text):
        found["barrel", slot(where)] += 1
    return found


def moves_of(verb: str, rest: str, who: str, links: dict[str, frozenset[str]]) -> Iterator[Wanted]:
    said = dict(re.findall(r"(\S+?)=(\S+)", rest))
    me = {"player": [who]}
    cards = {"card": [card(said["card"])]} if "card" in said else {}
    if verb == "BUILD":
        kind = re.search(r"(\w+)@", rest)
        assert kind is not None
        yield Wanted("build", {**me, **cards, "industry": [INDUSTRIES[kind[1]]], "slot": [slot_built(rest)]})
    elif verb == "NETWORK":
        lines = re.search(r"links=(.*)$", rest)
        assert lines is not None
        for i, pair in enumerate(lines[1].split(" then ")):
            ends = {place(p) for p in pair.strip().split("=")}
            link = [name for name, joined in links.items() if ends <= joined]
            if i == 0:
                yield Wanted("canal|rail", {**me, **cards, "link": link})
            else:
                yield Wanted("second_rail", {**me, "link": link})
    elif verb == "DEVELOP":
        for i, name in enumerate(said["remove"].split("+")):
            if i == 0:
                yield Wanted("develop", {**me, **cards, "industry": [industry(name)]})
            else:
                yield Wanted("develop_second", {**me, "industry": [industry(name)]})
    elif verb == "SELL":
        yield from sales(rest, me, cards)
    elif verb == "SCOUT":
        yield Wanted("scout", me, tuple(sorted(card(c) for c in said["cards"].split("+"))))
    elif verb in ("LOAN", "PASS"):
        yield Wanted(verb.lower(), {**me, **cards})
    else:
        raise Unreadable(f"{verb} {rest}")


def sales(rest: str, me: dict[str, list[Any]], cards: dict[str, list[Any]]) -> Iterator[Wanted]:
    """`birmingham/1->gloucester beer=merchant,brewery:stone/0 ; ... ; mat-removed=brewery3`"""
    removed = [industry(name) for found in re.findall(r"mat-removed=(\S+)", rest) for name in re.split(r"[+,]", found)]
    first = True
    for tile, merchant, tail in re.findall(r"(\S+/\d+)->(\S+)([^;]*)", rest):
        beer = re.search(r"beer=(\S+)", tail)
        sources = beer[1].split(",") if beer else []
        breweries = [slot(s.removeprefix("brewery:")) for s in sources if s.startswith("brewery:")]
        spaces = [f"{place(merchant)}.{i}" for i in (1, 2)]
        barrels: list[list[str]] = [[s] for s in spaces] if "merchant" in sources else [[]]
        fields: dict[str, list[Any]] = {
            **me,
            "tile": [slot(tile)],
            "merchant": spaces,
            "beer": [list(order) for order in sorted(set(permutations(breweries)))],
            "barrels": barrels,
        }
        if first:
            yield Wanted("sell", {**fields, **cards})
        else:
            yield Wanted("sell_more", fields)
        first = False
        if merchant == "gloucester" and "merchant" in sources and removed:
            yield Wanted("bonus_develop", {**me, "industry": [removed.pop(0)]})


# ---------------------------------------------------------------- replay


@dataclass(slots=True)
class Replayed:
    lines: int = 0
    differences: list[str] = field(default_factory=list)  # checkpoints that no position meets
    finals: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    carried: int = 1  # the most positions carried along
    state: State = ()


class Replay:
    """A record replayed in the spec's rules; where another opinion is given it judges every move and position too."""

    def __init__(self, record: Record, game: Game, other: Opinion | None) -> None:
        self.record, self.game, self.other = record, game, other
        self.rules, self.codec = game.rules, game.codec
        self.drawn = [0, 0]  # of each era's deck
        self.dealt: list[Counter[str]] = [Counter(), Counter()]
        self.aside = 0
        self.result = Replayed()

    def run(self) -> Replayed:
        states = self.settled([self.rules.initial()])
        for line in self.record.lines:
            states = self.settled(self.play(states, line))
            states = self.checked(states, line)
            self.result.lines += 1
            self.result.carried = max(self.result.carried, len(states))
        self.result.state = states[0]
        at = self.codec.position(states[0]).state
        self.result.finals = {
            p: (at["money"].get(p, 0), at["income"].get(p, 0), at["vp"].get(p, 0)) for p in SEATS[: self.record.players]
        }
        return self.result

    def play(self, states: list[State], line: Line) -> list[State]:
        """All positions after an action, those where what is taken is what the record says."""
        branches: dict[tuple[State, frozenset[tuple[tuple[str, str], int]]], None] = {
            (s, frozenset()): None for s in states
        }
        for wanted in line.moves:
            after: dict[tuple[State, frozenset[tuple[tuple[str, str], int]]], None] = {}
            for state, used in branches:
                for taken in self.rules.legal(state):
                    move = self.codec.move(*taken)
                    if wanted.allows(move):
                        then, events = self.step(state, taken, move)
                        if all(line.levels[e["slot"]] == e["level"] for e in events if e["event"] == "tile_built"):
                            after[then, frozenset((Counter(dict(used)) + took(events)).items())] = None
            if not after:
                raise Refused(f"{wanted} is not legal at: {line.text}")
            branches = after
        kept = list(dict.fromkeys(s for s, used in branches if line.uses is None or dict(used) == dict(line.uses)))
        if not kept:
            raise Refused(f"nothing takes {line.uses} at: {line.text}")
        if len(kept) > CARRY:
            raise Refused(f"more than {CARRY} positions agree with the record: {line.text}")
        done = self.rules.action_names.index("done")
        closed: dict[State, None] = {}
        for state in kept:
            last = [m for m in self.rules.legal_now(state) if m[0] == done]
            closed[self.step(state, last[0], self.codec.move(*last[0]))[0] if last else state] = None
        return list(closed)

    def step(self, state: State, taken: tuple[int, tuple[Any, ...]], move: Plain) -> tuple[State, list[Plain]]:
        judged = self.rules.step(state, *taken)
        assert judged.state is not None
        events = [self.codec.event(e) for e in judged.events]
        if self.other is not None:
            outcome = self.other.step(self.codec.position(state), move)
            if outcome.position is None:
                raise Refused(f"the other opinion refuses {move}: {outcome.violated}")
            ours, theirs = self.codec.position(judged.state).state, outcome.position.state
            apart = {k: (ours.get(k), theirs.get(k)) for k in ours.keys() | theirs if ours.get(k) != theirs.get(k)}
            if apart or list(outcome.events) != events:
                raise Refused(f"the opinions differ after {move}: {apart}, {events}, {outcome.events}")
        return judged.state, events

    def settled(self, states: list[State]) -> list[State]:
        """What chance brings, as the record says: the same in all positions that are carried along."""
        while True:
            due = self.rules.chance(states[0])
            if not due:
                return states
            wanted = self.chance(self.codec.position(states[0]).state, [self.codec.chance(i, a) for i, a, _ in due])
            after: dict[State, None] = {}
            for state in states:
                found = [(i, a) for i, a, _ in self.rules.chance(state) if self.codec.chance(i, a) == wanted]
                if not found:
                    raise Refused(f"{wanted} cannot happen")
                after[self.rules.happen(state, *found[0])[0]] = None
            states = list(after)

    def chance(self, at: Plain, due: list[Plain]) -> Plain:
        kind = due[0]["chance"]
        era = 0 if at["era"] == "canal" else 1
        if kind == "seat":
            return {"chance": "seat", "player": self.record.seats[at["seated"]]}
        if kind == "place_merchant":
            space = due[0]["space"]
            return {"chance": kind, "space": space, "tile": self.record.merchants[space]}
        if kind == "set_aside":
            self.aside += 1
            return {"chance": kind, "card": self.record.aside[self.aside - 1]}
        who = due[0]["player"]
        if at["phase"] == "deal":
            drawn = self.record.hands[era][who][self.dealt[era][who]]
            self.dealt[era][who] += 1
        else:
            drawn = self.record.decks[era][self.drawn[era]]
            self.drawn[era] += 1
        return {"chance": kind, "player": who, "card": drawn}

    def checked(self, states: list[State], line: Line) -> list[State]:
        """The positions that meet the checkpoint after a line; all of them, and a difference, where none does."""
        told: dict[str, None] = {}
        fits = []
        for state in states:
            differs = ", ".join(self.differs(self.codec.position(state).state, line))
            if differs:
                told[differs] = None
            else:
                fits.append(state)
        if not fits:
            self.result.differences.append(f"{line.number}: {'; or '.join(told)}")
        return fits or states

    def differs(self, at: Plain, line: Line) -> Iterator[str]:
        for who, values in line.after.items():
            found = (
                at["money"].get(who, 0),
                at["income"].get(who, 0),
                at["vp"].get(who, 0),
                len(at["hand"].get(who, [])),
            )
            for name, ours, theirs in zip(("money", "income", "vp", "cards"), found, values, strict=True):
                if ours != theirs:
                    yield f"{name} of {who} {ours}, in the record {theirs}"
        for name, theirs in (("coal", line.coal), ("iron", line.iron)):
            if at[name] != theirs:
                yield f"{name} {at[name]}, in the record {theirs}"


def took(events: list[Plain]) -> Counter[tuple[str, str]]:
    """What was taken from tiles and merchants."""
    kinds = {"coal_taken": "coal_mine", "iron_taken": "iron_works", "beer_taken": "brewery"}
    found: Counter[tuple[str, str]] = Counter()
    for e in events:
        if e["event"] in kinds and e["source"] != "market":
            found[kinds[e["event"]], e["source"]] += 1
        elif e["event"] == "barrel_taken":
            found["barrel", e["space"]] += 1
    return found
