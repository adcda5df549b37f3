"""The requirements by name, in the order of the rulebook."""

from __future__ import annotations

# Some are of a reading only: space.single (in the place of the two about ports) of port_first=single, the default of 2018;
# rail.apart of two_rails_apart=apart; pass.forced of pass_action=forced.
_CATALOGUE = """
    turn.order turn.unfinished combine.two_actions
    card.held card.location card.industry card.network card.own_tile
    build.stack build.level_zero build.symbol build.canal_tile build.rail_tile build.one_per_town
    overbuild.opponent overbuild.industry overbuild.level overbuild.exhausted
    port.lancaster port.preston space.single build.coal build.iron
    coal.mine coal.connected coal.nearest coal.mine_first coal.port
    iron.works iron.works_first money.enough
    link.canal_era link.rail_era link.canal_line link.rail_line link.free link.network link.supply rail.second rail.apart
    develop.stack develop.second
    sell.more sell.mill sell.port sell.connected sell.distant_open sell.distant_port
    loan.deck loan.floor shortfall.due shortfall.own done.open pass.forced
"""
REQUIREMENTS = tuple(_CATALOGUE.split())
