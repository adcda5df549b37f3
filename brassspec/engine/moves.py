"""Moves: what makes one well formed, what is found against it, and which there are."""

from __future__ import annotations

from functools import cache

from brassspec.engine import cards
from brassspec.engine.game import Game
from brassspec.engine.plain import name_in
from brassspec.engine.rules import Rules, Shapes
from brassspec.engine.state import State
from brassspec.engine.verdict import Faults
from brassspec.formats import InputError, Move

# What an action may go on with, as State.pending: what is found, and the facts, where that was not begun.
NOT_BEGUN = {
    "rail": ("rail.second", "no first rail was just built"),
    "develop": ("develop.second", "no first tile was just developed"),
    "sale": ("sell.more", "no sale is in progress"),
}


def check_well_formed(shapes: Shapes, game: Game, move: Move) -> None:
    """Raise InputError, naming the place, unless the move is one the game knows."""
    action = name_in(shapes)("move.action", move.get("action"))
    expected = ("action", "player", *shapes[action])
    for name in expected:
        if name not in move:
            raise InputError(f"move.{name}: missing; {action} has {', '.join(expected)}")
    for name in move:
        if name not in expected:
            raise InputError(f"move.{name}: {action} has no such field; it has {', '.join(expected)}")
    name_in(game.players)("move.player", move["player"])
    for name, reader in shapes[action].items():
        reader(f"move.{name}", move[name])
    played = [name for name in cards.PLAYED if name in expected]
    ranks = [game.card_rank[move[name]] for name in played]
    if ranks != sorted(ranks):
        raise InputError(f"move.{played[-1]}: the cards of {action} stand in card order; exchange them")


def judge(rules: Rules, shapes: Shapes, state: State, move: Move) -> Faults:
    """cz "KROK Hraní karet", fi "Pelaajan vuoro": everything against a well-formed move."""
    faults = [*_check_turn(rules, state, move), *cards.check_held(state, move)]
    faults += rules.actions[move["action"]].check(state, move)
    yield from faults
    alone = move["action"] == "pass" and state.game.reads("pass_action", "forced")
    if alone and not faults and move not in legal(rules, shapes, state):  # there a pass comes only if nothing else does
        yield "pass.forced", "another action is possible"


def _check_turn(rules: Rules, state: State, move: Move) -> Faults:
    """cz "KROK Hraní karet", fi "Pelaajan vuoro": one player acts, and ends an action before the next.

    Nor does anybody go on with what was not begun.
    """
    stage = rules.actions[move["action"]].stage
    if stage != "income":
        if state.phase != "actions":
            yield "turn.order", f"no actions are being taken in phase {state.phase}"
        elif move["player"] != state.acting:
            yield "turn.order", f"it is the turn of {state.acting}"
        if stage == "none" and state.pending != "none":
            yield "turn.unfinished", f"an action is in progress: {state.pending}"
    if stage in NOT_BEGUN and stage != state.pending:
        yield NOT_BEGUN[stage]


def legal(rules: Rules, shapes: Shapes, state: State) -> list[Move]:
    """Every legal move once: in the order of the move table, then of the fields of a move.

    Reading pass_action=forced: only who can do nothing else passes.
    """
    found: list[Move] = []
    options = cache(lambda find: list(find(state)))  # building with one card and with two has the same
    only_if_forced = state.game.reads("pass_action", "forced")
    for name, action in rules.actions.items():
        if action.stage not in (state.stage, None) or (name == "pass" and found and only_if_forced):
            continue
        suits = action.suits(state) if action.suits else None
        for played in cards.ways_to_play(state, [field for field in shapes[name] if field in cards.PLAYED]):
            start = {"action": name, "player": state.acting, **played}
            found += [
                start | option for option in options(action.options) if suits is None or suits(played["card"], option)
            ]
    return found
