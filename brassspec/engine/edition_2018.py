"""What the games of 2018 have in common: the order of play is drawn, hands are refilled each turn, and the introductory game."""

from __future__ import annotations

from brassspec.engine import cards, era_end, income, rounds, state
from brassspec.engine.game import Game
from brassspec.engine.plain import number
from brassspec.engine.rules import Rules, Step
from brassspec.engine.state import Variable
from brassspec.formats import Chance, Event, InputError

# The last scoring of the introductory games.
INTRO_MONEY_PER_VP = 4
INTRO_MONEY_MOST_VP = 15


class State(state.State):
    """The table while the order of play is drawn, and whose hands are filled."""

    def __init__(self, game: Game) -> None:
        """r18 "first_turn_order": no place in the order of play is drawn yet."""
        super().__init__(game)
        self.seated = 0  # how many places are; once all are, 0 again

    def drawing(self) -> list[str]:
        """r18 "round_structure", pl "TURA GRACZA" 2: after a turn only the player whose turn it was draws."""
        return [self.acting] if self.phase == "refill" else super().drawing()

    def variables(self) -> dict[str, Variable]:
        """The variables of the game's positions."""
        return {"seated": Variable(number(0, len(self.order) - 1))} | super().variables()

    def check_order(self) -> None:
        """InputError on an order of play that is none, or is still being drawn later on."""
        super().check_order()
        if self.seated and self.phase != "start":
            raise InputError(f"state.seated: {self.seated} in phase {self.phase}; places are drawn in start only")


# The order of play


def seats(state: State) -> list[tuple[Chance, int]]:
    """Who may have the next place in the order of play; the last place is left to the last player."""
    unseated = [] if all_seated(state) else state.order[state.seated :]
    return [({"chance": "seat", "player": player}, 1) for player in unseated]


def all_seated(state: State) -> bool:
    """While the order of play is drawn: whether it is known."""
    return state.seated == len(state.order) - 1


def seat(state: State, outcome: Chance, events: list[Event]) -> None:
    """r18 "first_turn_order", pl "PRZYGOTOWANIE GRACZY" 7: the next place in the order of play is the player's."""
    state.order.remove(outcome["player"])
    state.order.insert(state.seated, outcome["player"])
    state.seated += 1


# Rounds


def _actions(rules: Rules, state: State, events: list[Event]) -> None:
    """r18 "round_structure", pl "TURA GRACZA" 2: a player's hand is refilled before the next one's turn."""
    rounds.close_unless_more(rules, state)
    if not state.actions:
        state.phase = "refill"


def _refill(rules: Rules, state: State, events: list[Event]) -> None:
    """pl "TURA GRACZA" 2: up to a full hand, while the deck lasts."""
    if cards.next_to_draw(state) is None:
        rounds.next_turn(state)


def _order(rules: Rules, state: State, events: list[Event]) -> None:
    """r18 "round_structure", pl "KONIEC RUNDY" 1: all hands have been refilled by then."""
    rounds.set_order(state, events)
    rounds.close_round(state, events)


STEPS: dict[str, Step] = rounds.STEPS | {"actions": _actions, "refill": _refill, "order": _order}


# The introductory game


def score_introductory(state: State, events: list[Event]) -> None:
    """Sheets intro_game, introductory_game: money, income and, once more, the tiles that would have stayed on the board.

    In place of the clean-up of the canal era, which is the last; with it the game is over.
    A negative income costs points only as far as there are any, as in a shortfall: the marker has no space below 0.
    """
    for player in state.order:
        pounds = max(state.money[player], 0)  # below 0 under the reading shortfall_no_tiles=debt of Lancashire
        for_money = min(pounds // INTRO_MONEY_PER_VP, INTRO_MONEY_MOST_VP)
        era_end.gain(state, player, "money_scored", for_money, events)
        level = income.level(state, player)
        for_income = level if level >= 0 else -state.points_lost(player, -level)
        era_end.gain(state, player, "income_scored", for_income, events)
        staying = [tile for tile in state.tile.values() if tile.owner == player and tile.flipped and tile.level > 1]
        for_tiles = sum(state.kind_of(tile).vp for tile in staying)
        era_end.gain(state, player, "tiles_scored", for_tiles, events)
    era_end.end_game(state, events)
