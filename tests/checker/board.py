"""A rule model made by hand: a game of mills and mines on a board of any size, with a bit of everything."""

from __future__ import annotations

import random
from typing import Any

from brassspec.rules import model as m

B = m.Bool()
PLACE, LINK, SLOT, PLAYER, TRADE = (m.Sort(s) for s in ("Place", "Link", "Slot", "Player", "Trade"))
TILE = m.Record("Tile")
MILL, MINE, PORT = range(3)
MOVER = 4  # its place in the state
MONEY, DEMAND = m.Num(0, 99), m.Num(0, 8)
FIELDS = (("owner", PLAYER), ("trade", TRADE), ("level", m.Num(0, 4)), ("flipped", B), ("cubes", m.Num(0, 6)))
INT = m.Num(-999, 999)
TRUE = m.Const(B, True)


def num(value: int) -> m.Const:
    return m.Const(m.Num(value, value), value)


def member(sort: m.Sort, value: int) -> m.Const:
    return m.Const(sort, value)


def eq(x: m.Expr, y: m.Expr, op: str = "=") -> m.Expr:
    return m.Compare(op, x, y)


def arith(op: str, x: m.Expr, y: m.Expr) -> m.Expr:
    return m.Arith(INT, op, x, y)


def field(record: m.Expr, name: str) -> m.Expr:
    names = [f for f, _ in FIELDS]
    return m.Field(FIELDS[names.index(name)][1], record, names.index(name), name)


def tile(slot: m.Expr, version: str = "tile") -> m.Expr:
    return m.Read(m.Option(TILE), "tile", version, (slot,))


def there(slot: m.Expr, version: str = "tile") -> m.Expr:
    return m.Get(TILE, tile(slot, version))


def town(slot: m.Expr) -> m.Expr:
    return m.Lookup(PLACE, "town", (slot,))


def mines(at: m.Expr, version: str = "tile") -> m.Expr:
    return m.Call(m.Set(SLOT), "mines", (version, "track"), (at,))


def distance(x: m.Expr, y: m.Expr) -> m.Expr:
    return m.Distance(m.Num(0, 99), "built", ("track",), x, y)


def sort_def(name: str, count: int) -> m.SortDef:
    members = tuple(f"{name.lower()}{i}" for i in range(count))
    return m.SortDef(name, members, members)


def build(hauls: int) -> m.Transition:
    """Build a tile for money and coal, each cube from the nearest mine or, where there is none, from the market."""
    p, slot, trade, level = m.Var(PLAYER, "p"), m.Var(SLOT, "slot"), m.Var(TRADE, "trade"), m.Var(m.Num(1, 4), "level")
    cost = m.Var(MONEY, "cost")
    nodes: list[m.Node] = [
        m.Require("build.turn", eq(p, m.Read(PLAYER, "mover", "mover", ()))),
        m.Let("cost", m.Lookup(MONEY, "cost", (trade, level))),
        m.Let("price", arith("*", m.Var(m.Num(0, hauls), "coal.len"), num(2))),
        m.Require("build.coal", eq(m.Var(m.Num(0, hauls), "coal.len"), m.Lookup(m.Num(0, 2), "coal", (trade,)))),
        m.Require(
            "build.empty",
            m.Not(m.Exists(tile(slot))),
            (
                m.Exception_(
                    "build.over_own",
                    m.And((eq(field(there(slot), "owner"), p), eq(field(there(slot), "level"), level, "<"))),
                ),
            ),
        ),
    ]
    version, market = "tile", "demand"
    x = m.Var(SLOT, "x@1")
    for i in range(hauls):
        used: m.Expr = eq(m.Var(m.Num(0, hauls), "coal.len"), num(i), ">")
        source = m.Var(m.Option(SLOT), f"coal.{i}")
        here = m.Get(SLOT, source)
        nodes += [
            m.Let(f"used{i}", used),
            m.Let(f"mines{i}", mines(town(slot), version), m.Var(B, f"used{i}")),
            m.Let(f"mine{i}", m.And((m.Var(B, f"used{i}"), m.Exists(source))), m.Var(B, f"used{i}")),
        ]
        found = m.Var(m.Set(SLOT), f"mines{i}")
        guard, from_mine = m.Var(B, f"used{i}"), m.Var(B, f"mine{i}")
        nodes += [
            m.Require("coal.mine", m.In(here, found), guard=from_mine),
            m.Require(
                "coal.nearest",
                m.Quant(
                    "all",
                    x,
                    found,
                    eq(distance(town(slot), town(here)), distance(town(slot), town(x)), "<="),
                ),
                guard=from_mine,
            ),
            m.Require(
                "coal.mine_first",
                m.Or((m.Exists(source), eq(m.Fold(INT, "count", x, found, TRUE, num(1)), num(0)))),
                guard=guard,
            ),
            m.Let(f"market{i}", m.And((guard, m.Not(m.Exists(source))))),
            m.Assign(
                f"demand.{i}",
                "demand",
                market,
                (),
                arith("-", m.Read(DEMAND, "demand", market, ()), num(1)),
                m.Var(B, f"market{i}"),
            ),
            m.Assign(
                f"tile.{i}",
                "tile",
                version,
                (here,),
                m.Some(
                    m.Option(TILE),
                    m.With(TILE, there(here, version), 4, arith("-", field(there(here, version), "cubes"), num(1))),
                ),
                from_mine,
            ),
        ]
        version, market = f"tile.{i}", f"demand.{i}"
    owned = m.Call(m.Num(0, 99), "owned", ("tile.built",), (p, num(1)))
    cubes = m.Fold(INT, "sum", x, SLOT, m.Exists(tile(x, "tile.built")), field(there(x, "tile.built"), "cubes"))
    purse = m.Read(MONEY, "money", "money", (p,))
    dear = arith("+", cost, m.Var(INT, "price"))
    made = m.Make(
        TILE, (p, trade, level, m.Const(B, False), m.If(m.Num(0, 3), eq(trade, member(TRADE, MINE)), num(3), num(0)))
    )
    nodes += [
        m.Require("build.money", eq(purse, dear, ">=")),
        m.Assign("money.1", "money", "money", (p,), arith("-", purse, dear)),
        m.Assign("tile.built", "tile", version, (slot,), m.Some(m.Option(TILE), made)),
        m.Require("build.few", eq(owned, num(3), "<=")),
        m.Require("build.cubes", eq(cubes, num(9), "<=")),
    ]
    return m.Transition(
        "action",
        "build",
        (
            m.Param("p", PLAYER),
            m.Param("slot", SLOT),
            m.Param("trade", TRADE),
            m.Param("level", m.Num(1, 4)),
            m.Param("coal", m.Seq(m.Option(SLOT), 0, hauls)),
        ),
        TRUE,
        tuple(nodes),
        {"tile": "tile.built", "money": "money.1", "demand": market},
    )


def link() -> m.Transition:
    """Build two links at once, in either order, the first from where the player is (or anywhere, if nowhere yet)."""
    p, one, two = m.Var(PLAYER, "p"), m.Var(LINK, "one"), m.Var(LINK, "two")
    z, w = m.Var(LINK, "z@1"), m.Var(PLACE, "w@1")
    places = m.Set(PLACE)

    def track(at: m.Expr, version: str = "track") -> m.Expr:
        return m.Read(m.Option(PLAYER), "track", version, (at,))

    def ends(of: m.Expr) -> m.Expr:
        return m.Lookup(places, "ends", (of,))

    def own(at: m.Expr) -> m.Expr:
        return eq(track(at), m.Some(m.Option(PLAYER), p))

    touching = m.Quant("some", z, LINK, m.And((own(z), m.In(w, ends(z)))))
    first = m.Pick(m.Option(LINK), z, LINK, m.Exists(track(z)))
    end = m.Get(PLACE, m.Pick(m.Option(PLACE), w, PLACE, m.In(w, ends(one))))
    purse = m.Read(MONEY, "money", "money", (p,))
    left = arith("max", arith("-", purse, num(10)), num(0))
    nodes: tuple[m.Node, ...] = (
        m.Require("link.turn", eq(p, m.Read(PLAYER, "mover", "mover", ()))),
        m.Require("link.free", m.And((m.Not(m.Exists(track(one))), m.Not(m.Exists(track(two)))))),
        m.Require("link.two", eq(one, two, "!=")),
        m.Require(
            "link.joined",
            m.Quant("some", w, ends(one), touching),
            (m.Exception_("link.first", m.Quant("all", z, LINK, m.Not(own(z)))),),
        ),
        m.Require("link.not_first", m.Or((m.Not(m.Exists(first)), eq(m.Get(LINK, first), one, "<")))),
        m.Assign("track.1", "track", "track", (one,), m.Some(m.Option(PLAYER), p)),
        m.Assign("track.2", "track", "track.1", (two,), m.Some(m.Option(PLAYER), p)),
        m.Require("link.reach", m.Connected("built", ("track.2",), member(PLACE, 0), end)),
        m.Require(
            "link.few",
            eq(
                m.Fold(INT, "count", z, LINK, eq(track(z, "track.2"), m.Some(m.Option(PLAYER), p)), num(1)),
                num(4),
                "<=",
            ),
        ),
        m.Require("link.money", eq(purse, num(7), ">=")),
        m.Assign("money.1", "money", "money", (p,), left),
    )
    return m.Transition(
        "action",
        "link",
        (m.Param("p", PLAYER), m.Param("one", LINK), m.Param("two", LINK)),
        TRUE,
        nodes,
        {"track": "track.2", "money": "money.1"},
        either_order=(("one", "two"),),
    )


def income() -> m.Transition:
    """A step: when demand is low everybody is paid a pound a mill, and demand rises; a purse may not overflow."""
    q, x = m.Var(PLAYER, "q@1"), m.Var(SLOT, "x@1")
    demand, mills = (
        m.Read(DEMAND, "demand", "demand", ()),
        m.And((eq(field(there(x), "owner"), q), eq(field(there(x), "trade"), member(TRADE, MILL)))),
    )
    paid = m.Fold(INT, "sum", x, SLOT, mills, field(there(x), "level"))
    purse = m.Read(MONEY, "money", "money", (q,))
    nodes = (
        m.AssignAll("money.1", "money", "money", ((q, PLAYER),), eq(paid, num(0), ">"), (q,), arith("+", purse, paid)),
        m.Assign("demand.1", "demand", "demand", (), arith("+", demand, num(3))),
    )
    return m.Transition(
        "step", "income", (), eq(demand, num(2), "<"), nodes, {"money": "money.1", "demand": "demand.1"}
    )


def flood() -> m.Transition:
    """Chance: a mine is flooded, the likelier the more cubes it has."""
    slot = m.Var(SLOT, "slot")
    emptied = m.Some(m.Option(TILE), m.With(TILE, there(slot), 4, num(0)))
    return m.Transition(
        "chance",
        "flood",
        (m.Param("slot", SLOT),),
        eq(field(there(slot), "trade"), member(TRADE, MINE)),
        (m.Assign("tile.1", "tile", "tile", (slot,), emptied),),
        {"tile": "tile.1"},
        weight=m.If(m.Num(0, 6), m.Exists(tile(slot)), field(there(slot), "cubes"), num(0)),
    )


def properties() -> tuple[m.Property, ...]:
    x = m.Var(SLOT, "x@1")
    only_mines = m.Quant(
        "all",
        x,
        SLOT,
        m.Or((eq(field(there(x), "trade"), member(TRADE, MINE)), m.Not(eq(field(there(x), "cubes"), num(0), ">")))),
    )
    slot, trade, level = m.Var(SLOT, "slot"), m.Var(TRADE, "trade"), m.Var(m.Num(1, 4), "level")
    port = eq(trade, member(TRADE, PORT))
    rows = (
        ("cubes", "invariant", (), only_mines),
        ("ports", "claim", ("build",), m.And((port, eq(level, num(3), ">")))),
        ("mills", "claim", ("build",), m.And((eq(trade, member(TRADE, MILL)), eq(slot, member(SLOT, 0))))),
    )
    return tuple(m.Property(name, "", (), kind, about, cond, "", 0) for name, kind, about, cond in rows)


def board(places: int, links: int, slots: int, players: int, hauls: int = 2, seed: int = 1, far: int = 3) -> m.Model:
    """Links join places at most `far` apart in number; every seventh joins three."""
    rng = random.Random(seed)
    sizes = {"Place": places, "Link": links, "Slot": slots, "Player": players, "Trade": 3}

    def span(i: int) -> frozenset[int]:
        start = i % (places - 1)
        others = [v for v in range(places) if 0 < abs(v - start) <= far]
        return frozenset({start, *rng.sample(others, 2 if i % 7 == 6 and len(others) > 1 else 1)})

    costs = {(t, level): 4 * level + t for t in range(3) for level in range(1, 5) if (t, level) != (PORT, 4)}
    at, x, z = m.Var(PLACE, "at"), m.Var(SLOT, "x@2"), m.Var(LINK, "z@2")
    with_coal = m.And(
        (
            eq(field(there(x), "trade"), member(TRADE, MINE)),
            eq(field(there(x), "cubes"), num(0), ">"),
            m.Connected("built", ("track",), at, town(x)),
        )
    )
    owner, least = m.Var(PLAYER, "owner"), m.Var(m.Num(0, 4), "least")
    counted = m.And((eq(field(there(x), "owner"), owner), eq(field(there(x), "level"), least, ">=")))
    owned = m.Fold(m.Num(0, slots), "count", x, SLOT, counted, num(1))
    var: dict[str, Any] = {"display": "", "binders": ()}
    return m.Model(
        ruleset="board",
        players=players,
        digest="",
        sorts={name: sort_def(name, size) for name, size in sizes.items()},
        records={"Tile": m.RecordDef("Tile", FIELDS, "")},
        tables={
            "ends": m.Table("ends", (LINK,), m.Set(PLACE), {(i,): span(i) for i in range(links)}, False),
            "town": m.Table("town", (SLOT,), PLACE, {(i,): i * places // slots for i in range(slots)}, False),
            "cost": m.Table("cost", (TRADE, m.Num(0, 4)), MONEY, costs, True),
            "coal": m.Table("coal", (TRADE,), m.Num(0, 2), {(MILL,): 1, (MINE,): 0, (PORT,): min(2, hauls)}, False),
        },
        state={
            "tile": m.StateVar("tile", (SLOT,), m.Option(TILE), default=m.Const(m.Option(TILE), None), **var),
            "track": m.StateVar("track", (LINK,), m.Option(PLAYER), default=m.Const(m.Option(PLAYER), None), **var),
            "money": m.StateVar("money", (PLAYER,), MONEY, default=num(17), **var),
            "demand": m.StateVar("demand", (), DEMAND, default=num(5), **var),
            "mover": m.StateVar("mover", (), PLAYER, default=member(PLAYER, 0), **var),
            "marks": m.StateVar("marks", (), m.Set(TRADE), default=m.Const(m.Set(TRADE), frozenset()), **var),
        },
        defines={
            "owned": m.Define("owned", (owner, least), ("tile",), owned),
            "mines": m.Define("mines", (at,), ("tile", "track"), m.Filter(m.Set(SLOT), x, SLOT, with_coal)),
        },
        graphs={
            "built": m.Graph(
                "built", PLACE, LINK, "ends", z, m.Exists(m.Read(m.Option(PLAYER), "track", "track", (z,))), ("track",)
            )
        },
        events={},
        setup=m.Transition("setup", "setup", (), TRUE, (), {}),
        actions={"build": build(hauls), "link": link()},
        steps=(income(),),
        chances={"flood": flood()},
        requirements={},
        properties=properties(),
    )


def random_value(rng: random.Random, model: m.Model, t: m.Type) -> Any:
    match t:
        case m.Option():
            return random_value(rng, model, t.inner) if rng.random() < 0.5 else None
        case m.Record():
            return tuple(random_value(rng, model, f) for _, f in model.records[t.name].fields)
        case m.Set():
            return frozenset(v for v in model.values(t.inner) if rng.random() < 0.5)
    return rng.choice(model.values(t))


def random_state(rng: random.Random, model: m.Model) -> tuple[Any, ...]:
    state = []
    for var in model.state.values():
        size = 1
        for key in var.keys:
            size *= model.size(key)
        cells = tuple(random_value(rng, model, var.type) for _ in range(size))
        state.append(cells if var.keys else cells[0])
    return tuple(state)


def random_args(rng: random.Random, model: m.Model, transition: m.Transition) -> dict[str, Any]:
    args: dict[str, Any] = {}
    for p in transition.params:
        if isinstance(p.type, m.Seq):
            length = args[f"{p.name}.len"] = rng.randint(p.type.lo, p.type.hi)
            for i in range(p.type.hi):
                args[f"{p.name}.{i}"] = random_value(rng, model, p.type.inner) if i < length else None
        else:
            args[p.name] = random_value(rng, model, p.type)
    return args
