"""What a Lancashire game has on the table besides: the cotton demand, and whose first tile is built."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from brassspec.engine import state
from brassspec.engine.lancashire.readings import Lancashire
from brassspec.engine.lancashire.tables import LIVERPOOL, PORT, SHIPYARD
from brassspec.engine.plain import Reader, list_of, name_or_none, names_marked, number
from brassspec.engine.tables import CANAL
from brassspec.formats import InputError, Plain, Position


@dataclass(kw_only=True)
class State(state.State):
    """Everything on the table."""

    game: Lancashire
    selling: str | None = None
    first_rail: str | None = None  # of the action in progress; not in every position, see _tells_first_rail
    demand: int = 0
    distant: list[int]
    turned: list[int] = field(default_factory=list)
    built: set[str] = field(default_factory=set)

    def copy(self) -> Self:
        """A state of its own, which may be changed."""
        other = super().copy()
        other.distant = self.distant.copy()
        other.turned = self.turned.copy()
        other.built = self.built.copy()
        return other

    def close(self) -> None:
        """The action in progress is over."""
        super().close()
        self.first_rail = None

    def may_close(self) -> bool:
        """Whether an action is in progress that may go on, but need not."""
        return self.pending in ("rail", "sale", "develop")

    def outlets(self) -> set[str]:
        """cz "Postavené Přístavy": the places of port tiles, either side up, and the external locations."""
        place_of = self.game.place_of
        return {place_of[slot] for slot, tile in self.tile.items() if tile.industry == PORT}.union(self.game.external)

    def coal_is_at_hand(self, slot: str, industry: str) -> bool:
        """Reading liverpool_coal=always: a shipyard in Liverpool needs no port for the track's coal in the canal era."""
        if self.era != CANAL or not self.game.reads("liverpool_coal", "always"):
            return False
        return industry == SHIPYARD and self.game.place_of[slot] == LIVERPOOL

    def own_variables(self) -> Plain:
        """The variables of this game alone, as they are written."""
        first_rail = {"first_rail": self.first_rail} if _tells_first_rail(self.game) else {}
        return first_rail | {
            "selling": self.selling,
            "demand": self.demand,
            "distant": sorted(self.distant),
            "turned": sorted(self.turned),
            "built": dict.fromkeys(sorted(self.built), True),
        }


def set_up(game: Lancashire) -> State:
    """cz "Příprava hry": the table before the starting player is known."""
    return State.set_up(game, distant=list(game.distant))


def _tells_first_rail(game: Lancashire) -> bool:
    """Whether positions have the variable `first_rail`: only what the second rail must keep apart from is told."""
    return game.reads("two_rails_apart", "apart")


def readers(game: Lancashire) -> dict[str, Reader]:
    """The variables of the game's positions, and what reads each."""
    tiles = list_of(number(0, max(game.distant)))
    first_rail = {"first_rail": name_or_none(game.lines)} if _tells_first_rail(game) else {}
    return (
        state.readers(game)
        | first_rail
        | {
            "selling": name_or_none(game.slots),
            "demand": number(0, game.demand_closed),
            "distant": tiles,
            "turned": tiles,
            "built": names_marked(game.players),
        }
    )


def complete(state: State, position: Position) -> None:
    """Variables that only mean something together."""
    for variable in ("distant", "turned"):
        if len(getattr(state, variable)) > len(state.game.distant):
            raise InputError(f"state.{variable}: there are only {len(state.game.distant)} distant-market tiles")
    if (state.pending == "distant") != (state.selling is not None):
        raise InputError(f"state.selling: {state.selling!r} while {state.pending} is pending; a mill goes with distant")
    if state.selling is not None and state.selling not in state.tile:
        raise InputError(f"state.selling: no tile at {state.selling}")
    if _tells_first_rail(state.game):
        if (state.pending == "rail") != (state.first_rail is not None):
            raise InputError(f"state.first_rail: {state.first_rail!r} while {state.pending} is pending; rail needs it")
        if state.first_rail is not None and state.first_rail not in state.link:
            raise InputError(f"state.first_rail: no link on {state.first_rail}")
