"""The requirements by name, in the order in which they are judged."""

_CATALOGUE = """
    turn.order turn.unfinished card.held money.enough
    card.location card.removed_town card.farm card.industry card.network
    build.stack build.symbol build.canal_tile build.rail_tile build.one_per_town
    overbuild.opponent overbuild.industry overbuild.level overbuild.exhausted overbuild.full
    space.single build.coal build.iron
    coal.mine coal.connected coal.nearest coal.mine_first coal.merchant
    iron.works iron.works_first
    beer.brewery beer.connected beer.merchant beer.barrel
    link.canal_era link.canal_line link.rail_era link.rail_line link.free link.network link.supply rail.second
    develop.second develop.stack develop.lightbulb bonus.due
    sell.more sell.tile sell.merchant sell.connected sell.beer
    loan.floor scout.no_wild done.open shortfall.due shortfall.own
    pass.forced pass.never
"""
REQUIREMENTS = tuple(_CATALOGUE.split())
