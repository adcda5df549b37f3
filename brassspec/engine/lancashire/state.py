"""What a Lancashire game has on the table besides: the cotton demand, and whose first tile is built."""

from __future__ import annotations

from collections.abc import Collection

from brassspec.engine import state, tables
from brassspec.engine.lancashire.tables import LIVERPOOL, PORT, Lancashire
from brassspec.engine.plain import list_of, map_of, name_or_none, number, yes_or_no
from brassspec.engine.state import Variable, in_order
from brassspec.formats import InputError


class State(state.State):
    """Everything on the table."""

    game: Lancashire

    def __init__(self, game: Lancashire) -> None:
        """cz "Příprava hry": the table before the starting player is known."""
        super().__init__(game)
        self.selling: str | None = None
        self.first_rail: str | None = None  # of the action in progress; told only if the second rail must keep apart
        self.demand = 0
        self.distant = list(game.distant)
        self.turned: list[int] = []
        self.built: dict[str, bool] = {}  # player: True

    def put(self, slot: str, tile: state.Tile) -> None:
        """Put a tile on the board: that it is not the first one is remembered."""
        super().put(slot, tile)
        self.built[tile.owner] = True

    def lay(self, link: str, player: str) -> None:
        """Put a link on the board: a second rail may have to keep apart from it."""
        super().lay(link, player)
        self.first_rail = link

    def close(self) -> None:
        """The action in progress is over."""
        super().close()
        self.first_rail = None

    def outlets(self) -> set[str]:
        """cz "Postavené Přístavy": the places of port tiles, either side up, and the external locations."""
        place_of = self.game.place_of
        return {place_of[slot] for slot, tile in self.tile.items() if tile.industry == PORT}.union(self.game.external)

    def coal_is_at_hand(self, place: str, industry: str) -> bool:
        """Reading liverpool_coal=always: a shipyard in Liverpool needs no port for the track's coal in the canal era."""
        always = self.era == tables.CANAL and self.game.reads("liverpool_coal", "always")
        return always and industry == tables.SHIPYARD and place == LIVERPOOL

    def variables(self) -> dict[str, Variable]:
        """The variables of the game's positions."""
        game = self.game
        tiles = Variable(list_of(number(0, max(game.distant))), sorted)
        own = {
            "selling": Variable(name_or_none(game.slots)),
            "demand": Variable(number(0, game.demand_closed)),
            "distant": tiles,
            "turned": tiles,
            "built": Variable(map_of(dict.fromkeys(game.players, yes_or_no)), in_order),
        }
        if game.reads("two_rails_apart", "apart"):
            own["first_rail"] = Variable(name_or_none(game.lines))
        return super().variables() | own

    def complete(self, told: set[str]) -> None:
        """InputError on variables that contradict each other."""
        super().complete(told)
        for variable in ("distant", "turned"):
            if len(getattr(self, variable)) > len(self.game.distant):
                raise InputError(f"state.{variable}: there are only {len(self.game.distant)} distant-market tiles")
        self._check_pending("distant", "selling", self.tile, "tile at")
        if self.game.reads("two_rails_apart", "apart"):
            self._check_pending("rail", "first_rail", self.link, "link on")

    def _check_pending(self, pending: str, variable: str, there: Collection[str], what: str) -> None:
        """What is pending needs to know where it began."""
        place = getattr(self, variable)
        if (self.pending == pending) != (place is not None):
            raise InputError(f"state.{variable}: {place!r} while {self.pending} is pending; it goes with {pending}")
        if place is not None and place not in there:
            raise InputError(f"state.{variable}: no {what} {place}")
