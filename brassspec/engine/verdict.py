"""The requirements by name, in the order of the rulebook, and the verdict on a move."""

from __future__ import annotations

from dataclasses import dataclass, field

from brassspec.formats import Outcome, Violation

REQUIREMENTS = (
    "turn.order",
    "turn.unfinished",
    "combine.two_actions",
    "card.held",
    "card.location",
    "card.industry",
    "card.network",
    "card.own_tile",
    "build.stack",
    "build.level_zero",
    "build.symbol",
    "build.canal_tile",
    "build.rail_tile",
    "build.one_per_town",
    "overbuild.opponent",
    "overbuild.industry",
    "overbuild.level",
    "overbuild.exhausted",
    "port.lancaster",
    "port.preston",
    "space.single",  # in their place under the reading port_first=single
    "build.coal",
    "build.iron",
    "coal.mine",
    "coal.connected",
    "coal.nearest",
    "coal.mine_first",
    "coal.port",
    "iron.works",
    "iron.works_first",
    "money.enough",
    "link.canal_era",
    "link.rail_era",
    "link.canal_line",
    "link.rail_line",
    "link.free",
    "link.network",
    "link.supply",
    "rail.second",
    "rail.apart",  # only under the reading two_rails_apart=apart
    "develop.stack",
    "develop.second",
    "sell.more",
    "sell.mill",
    "sell.port",
    "sell.connected",
    "sell.distant_open",
    "sell.distant_port",
    "loan.deck",
    "loan.floor",
    "shortfall.due",
    "shortfall.own",
    "done.open",
    "pass.forced",  # only under the reading pass_action=forced
)
PLACE_IN_CATALOGUE = {name: place for place, name in enumerate(REQUIREMENTS)}


@dataclass(slots=True)
class Verdict:
    """What is found against a move."""

    violated: list[Violation] = field(default_factory=list)
    unevaluated: list[str] = field(default_factory=list)

    def violate(self, requirement: str, facts: str) -> None:
        """A requirement is violated; of the same one only the first finding is kept."""
        if all(earlier.requirement != requirement for earlier in self.violated):
            self.violated.append(Violation(requirement, facts))

    def skip(self, *requirements: str) -> None:
        """Requirements that say nothing here, since an earlier one failed."""
        self.unevaluated.extend(name for name in requirements if name not in self.unevaluated)

    def outcome(self) -> Outcome:
        """The illegal outcome, in the order of the catalogue."""
        return Outcome(
            violated=tuple(sorted(self.violated, key=lambda one: PLACE_IN_CATALOGUE[one.requirement])),
            unevaluated=tuple(sorted(self.unevaluated, key=PLACE_IN_CATALOGUE.__getitem__)),
        )
