"""The rule model: what a spec means, for one ruleset and one number of players, ready for either meaning.

Everything is finite, resolved and typed. Procedures are inlined and loops over lists unrolled, so that a transition (an
action, an automatic step, a chance event) is a flat list of *nodes* in rulebook order. State is single-assignment: each
assignment makes a new *version* of a variable (`tile`, `tile.1`, `tile.2`, ...), and an expression names the versions it
reads. So a transition is a pure data-flow graph, and the concrete and the symbolic meaning both just walk it.

Values, as both meanings agree on them:

    Bool -> bool; Num -> int; Sort -> int, the member's index from 0; Option -> None or the inner value;
    Record -> tuple of field values; Set -> frozenset of inner values; Seq (parameters only) -> tuple of inner values.
    A map variable with keys -> {key tuple: value}, total over its key types, stored by flat index (see `StateVar`).

Definedness. Three things can be undefined: `Get` of an absent option, `Lookup` of a row that a partial table lacks, and an
assignment outside the declared bounds. Being undefined spreads outwards to the nearest enclosing *atom* (`Compare`, `In`,
`Exists`, `Connected`, `Possible`, and any yes/no value used as a formula: an operand of `Not`, `And`, `Or`, a condition, a quantifier's
body), which is then false. Inside `Fold` an undefined term is left out, inside `Pick`, `Filter` and `Quant`
an undefined condition counts as false (it reaches an atom anyway). A `Let` or assignment that is undefined makes all that
reads it undefined in turn; a requirement that reads such a name, directly or through its guard, is *not evaluated*.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

# ---------------------------------------------------------------- where things are written


@dataclass(frozen=True, slots=True)
class Written:
    """Where a statement or declaration stands: within what (a procedure, a transition, itself), the file and the line."""

    within: str
    file: str
    line: int


NOWHERE = Written(
    "", "", 0
)  # of what the language itself defines; where a thing stands does not count when two are compared


# ---------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class Bool:
    def __str__(self) -> str:
        return "yes/no"


@dataclass(frozen=True, slots=True)
class Num:
    """A whole number within bounds, both included. `shown` is how one is written, as in "£{}"."""

    lo: int
    hi: int
    shown: str = "{}"

    def __str__(self) -> str:
        return f"{self.lo}..{self.hi}"


@dataclass(frozen=True, slots=True)
class Sort:
    """A nominal enumeration, named; its members stand in `Model.sorts`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Option:
    """A value or nothing; `absent` is the word for nothing ("none", "market")."""

    inner: Type
    absent: str = "none"

    def __str__(self) -> str:
        return f"{self.inner} or {self.absent}"


@dataclass(frozen=True, slots=True)
class Record:
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Set:
    inner: Type

    def __str__(self) -> str:
        return f"set of {self.inner}"


@dataclass(frozen=True, slots=True)
class Seq:
    """A list of `lo` to `hi` values; only parameters of actions have this type."""

    inner: Type
    lo: int
    hi: int

    def __str__(self) -> str:
        return f"list of {self.inner}"


Type: TypeAlias = Bool | Num | Sort | Option | Record | Set | Seq

# ---------------------------------------------------------------- expressions
# Every node has `.type`. `versions` name the state versions a Call or graph query is evaluated on, parallel to the
# `reads` of its definition or graph.


@dataclass(frozen=True, slots=True)
class Const:
    type: Type
    value: Any


@dataclass(frozen=True, slots=True)
class Var:
    """A parameter, a bound variable or a `Let`; a scalar parameter of a Seq parameter `x` is `x.len`, `x.0`, `x.1`, ..."""

    type: Type
    name: str


@dataclass(frozen=True, slots=True)
class Read:
    """The value at `keys` of version `version` of state variable `var` (no keys: a scalar)."""

    type: Type
    var: str
    version: str
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Field:
    type: Type
    record: Expr
    index: int
    name: str


@dataclass(frozen=True, slots=True)
class Make:
    """A record value from its field values, in order."""

    type: Record
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class With:
    """The record with field `index` replaced."""

    type: Record
    record: Expr
    index: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Some:
    """T as Option T: present."""

    type: Option
    inner: Expr


@dataclass(frozen=True, slots=True)
class Get:
    """Option T as T; undefined when absent."""

    type: Type
    inner: Expr


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether an option is present. An atom."""

    inner: Expr
    type: Type = Bool()


@dataclass(frozen=True, slots=True)
class Not:
    inner: Expr
    type: Type = Bool()


@dataclass(frozen=True, slots=True)
class And:
    items: tuple[Expr, ...]
    type: Type = Bool()


@dataclass(frozen=True, slots=True)
class Or:
    items: tuple[Expr, ...]
    type: Type = Bool()


@dataclass(frozen=True, slots=True)
class Compare:
    """`op` is one of = != < <= > >=; both sides have the same kind of type (= and != on anything but sets). An atom."""

    op: str
    left: Expr
    right: Expr
    type: Type = Bool()


@dataclass(frozen=True, slots=True)
class Arith:
    """`op` is one of + - * div mod min max. At most one side of * is not constant; div and mod have a positive constant right."""

    type: Num
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class If:
    type: Type
    cond: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class SetOf:
    type: Set
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """{ var in domain where cond }"""

    type: Set
    var: Var
    domain: Domain
    cond: Expr


@dataclass(frozen=True, slots=True)
class In:
    """An atom."""

    item: Expr
    set: Expr
    type: Type = Bool()


@dataclass(frozen=True, slots=True)
class Quant:
    """kind "all" or "some": over var in domain, the body."""

    kind: str
    var: Var
    domain: Domain
    body: Expr
    type: Type = Bool()


@dataclass(frozen=True, slots=True)
class Fold:
    """kind "count", "sum": over var in domain where cond, of the body (count: the body is the constant 1)."""

    type: Num
    kind: str
    var: Var
    domain: Domain
    cond: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Pick:
    """The first var in domain (in the order of its members, or of numbers) where cond, as an option."""

    type: Option
    var: Var
    domain: Domain
    cond: Expr


@dataclass(frozen=True, slots=True)
class Lookup:
    """A row of a table (a sort's column is a table with one key). Undefined where a partial table has no row."""

    type: Type
    table: str
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Connected:
    """Whether there is a path of edges from left to right; a place is connected to itself. An atom."""

    graph: str
    versions: tuple[str, ...]
    left: Expr
    right: Expr
    type: Type = Bool()


@dataclass(frozen=True, slots=True)
class Distance:
    """The least number of edges from left to right; without a path, the number of nodes of the graph."""

    type: Num
    graph: str
    versions: tuple[str, ...]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class After:
    """The value of `inner` in the position after the transition, before anything follows by itself; only in claims about transitions."""

    type: Type
    inner: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """A definition applied to arguments."""

    type: Type
    define: str
    versions: tuple[str, ...]
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Possible:
    """Whether the player has a legal move of `action` in the position before the transition; only in requirements of actions. An atom."""

    action: str
    player: Expr
    type: Type = Bool()


Expr: TypeAlias = (
    Const
    | Var
    | Read
    | Field
    | Make
    | With
    | Some
    | Get
    | Exists
    | Not
    | And
    | Or
    | Compare
    | Arith
    | If
    | SetOf
    | Filter
    | In
    | Quant
    | Fold
    | Pick
    | Lookup
    | Connected
    | Distance
    | After
    | Call
    | Possible
)
# What a bound variable ranges over: a finite type (Bool, Num, Sort, Option of those) or a set-valued expression.
Domain: TypeAlias = Type | Expr

# ---------------------------------------------------------------- nodes of a transition
# `guard` None means always; else a yes/no Var, and the node only counts where it is true. A `Let` whose guard is false is
# false if it is a Bool (so guards nest), and otherwise irrelevant (nothing that counts reads it) and not undefined.


@dataclass(frozen=True, slots=True)
class Let:
    name: str
    expr: Expr
    guard: Expr | None = None
    written: Written = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Assign:
    """New version `name` of `var`: `old` with the value at `keys` replaced (no keys: the scalar).

    Where the guard is false it equals `old`.
    """

    name: str
    var: str
    old: str
    keys: tuple[Expr, ...]
    expr: Expr
    guard: Expr | None = None
    written: Written = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AssignAll:
    """New version `name` of `var`: at once for all `binders` (variable, finite type) where `cond`, at `keys`, `expr`.

    All is read on the state before.

    The keys are distinct for distinct values of the binders. An undefined `expr` makes the whole version undefined.
    """

    name: str
    var: str
    old: str
    binders: tuple[tuple[Var, Type], ...]
    cond: Expr
    keys: tuple[Expr, ...]
    expr: Expr
    guard: Expr | None = None
    written: Written = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Exception_:
    """A labelled exception to a requirement: where `cond` holds the requirement does not bind."""

    name: str
    cond: Expr


@dataclass(frozen=True, slots=True)
class Require:
    """Violated where guard holds and neither `cond` nor any exception does.

    `facts` is a template: text pieces and expressions to show when it is violated.
    """

    name: str
    cond: Expr
    exceptions: tuple[Exception_, ...] = ()
    facts: tuple[str | Expr, ...] = ()
    guard: Expr | None = None
    written: Written = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Emit:
    event: str
    args: tuple[Expr, ...]
    guard: Expr | None = None
    written: Written = field(default=NOWHERE, compare=False, repr=False)


Node: TypeAlias = Let | Assign | AssignAll | Require | Emit

# ---------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class SortDef:
    name: str
    members: tuple[str, ...]
    titles: tuple[str, ...]  # for people: "Warrington & Runcorn"


@dataclass(frozen=True, slots=True)
class RecordDef:
    name: str
    fields: tuple[tuple[str, Type], ...]
    spoken: str  # template in which a value is written on one line


@dataclass(frozen=True, slots=True)
class Table:
    """A constant function. `rows` maps key tuples to values; `partial` if some key has no row."""

    name: str
    keys: tuple[Type, ...]
    type: Type
    rows: dict[tuple[Any, ...], Any]
    partial: bool
    written: Written = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class StateVar:
    """A variable of the position.

    keys: finite types, empty for a scalar. The flat index of a key tuple counts the last key fastest, each key by its
    position in its type (a Num from its lo, a Sort by member index).
    display: "" plain, "bag" (last key's members repeated, in a list), "ranking" (one Sort key to place: the keys in a list by place).
    default: the value as at set-up and wherever a scenario leaves it unstated, by the key variables in `binders`.
    """

    name: str
    keys: tuple[Type, ...]
    type: Type
    display: str
    binders: tuple[Var, ...]
    default: Expr
    title: str = ""
    written: Written = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Define:
    """A named expression. `reads`: the state variables it needs, transitively; in `body` each one's version is its plain name."""

    name: str
    params: tuple[Var, ...]
    reads: tuple[str, ...]
    body: Expr
    written: Written = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Graph:
    """Undirected: any two of `ends` (a table from the edge sort to a set of nodes) are one edge apart where `cond` holds of the edge."""

    name: str
    node: Sort
    edge: Sort
    ends: str
    var: Var
    cond: Expr
    reads: tuple[str, ...]
    written: Written = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Param:
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Transition:
    """An action, an automatic step, a chance event, or the set-up.

    kind: "action", "step", "chance", "setup".
    when: step and chance: the condition under which it is due (chance: over its parameters too), on the versions before. Action: true.
    weight: chance: how likely, relative to the others due (a Num; outcomes of weight 0 cannot happen).
    final: for each state variable that is assigned, the last version.
    either_order: groups of an action's parameters of one sort that may be named in any order; canonical is the order of the sort.
    implied: an action taken by itself when nothing else is legal.
    """

    kind: str
    name: str
    params: tuple[Param, ...]
    when: Expr
    nodes: tuple[Node, ...]
    final: dict[str, str]
    weight: Expr | None = None
    spoken: str = ""
    sentence: str = ""
    either_order: tuple[tuple[str, ...], ...] = ()
    implied: bool = False
    written: Written = field(default=NOWHERE, compare=False, repr=False)

    def scalars(self) -> tuple[Param, ...]:
        """The parameters as scalars: a Seq parameter `x` becomes `x.len`, `x.0`, ..."""
        out: list[Param] = []
        for p in self.params:
            if isinstance(p.type, Seq):
                out.append(Param(f"{p.name}.len", Num(p.type.lo, p.type.hi)))
                out += [Param(f"{p.name}.{i}", p.type.inner) for i in range(p.type.hi)]
            else:
                out.append(p)
        return tuple(out)


@dataclass(frozen=True, slots=True)
class Citation:
    source: str
    locator: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """An entry of the catalogue: what verdicts, coverage and rulings speak of. `kind` is "requirement" or "exception"."""

    name: str
    sentence: str
    cites: tuple[Citation, ...]
    kind: str
    file: str
    line: int
    text: str  # the condition as written
    excepts: str = ""


@dataclass(frozen=True, slots=True)
class Property:
    """A sentence that can be shown.

    kind: "invariant": the condition holds in every position. "in play": in every one that play can reach, but one that is given
    need not fulfil it. "claim": so, or, with `transitions`, it holds of none of these
    when they happen, over what their parameters have in common and the position. "refuted": a claim that does not hold, for
    the `reason`. "possible": a claim that the condition does hold of a transition now and then.
    """

    name: str
    sentence: str
    cites: tuple[Citation, ...]
    kind: str
    transitions: tuple[str, ...]
    cond: Expr
    file: str
    line: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PolicyLine:
    """The weight of those moves of an action of which `cond` holds, over its parameters and the position (None: of all)."""

    action: str
    weight: int
    cond: Expr | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to play at random: first a line is chosen, in proportion to the weights, then any of its moves alike.

    A move belongs to the first line that speaks of it; what no line of an action speaks of has a line of weight 1.
    """

    name: str
    sentence: str
    lines: tuple[PolicyLine, ...]
    written: Written = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Model:
    """A ruleset for a number of players. `digest` identifies the spec text it was built from."""

    ruleset: str
    players: int
    digest: str
    sorts: dict[str, SortDef]
    records: dict[str, RecordDef]
    tables: dict[str, Table]
    state: dict[str, StateVar]
    defines: dict[str, Define]
    graphs: dict[str, Graph]
    events: dict[str, tuple[Param, ...]]
    setup: Transition
    actions: dict[str, Transition]
    steps: tuple[Transition, ...]
    chances: dict[str, Transition]
    requirements: dict[str, Requirement]
    properties: tuple[Property, ...] = ()
    readings: dict[str, str] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)  # name of a source -> its title
    aliases: dict[str, Type] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)  # events -> how they are told, with their fields in braces
    dangling: dict[str, str] = field(default_factory=dict)  # exceptions -> the requirement, not there, that they except
    excused: dict[str, str] = field(default_factory=dict)  # requirements that are never sole decider -> why
    equivalent: dict[str, str] = field(default_factory=dict)  # changes of the rules that change no game -> why
    policies: dict[str, Policy] = field(default_factory=dict)
    player_sort: str = ""  # the sort that the `players` declaration names

    def transition(self, name: str) -> Transition:
        """The action, step or chance event of this name, or the set-up."""
        return self.setup if name == "setup" else self.transitions()[name]

    def transitions(self) -> dict[str, Transition]:
        """All that can happen, by name: actions, automatic steps, chance events."""
        return {**self.actions, **{t.name: t for t in self.steps}, **self.chances}

    def size(self, t: Type) -> int:
        """The number of values of a finite type."""
        return len(self.values(t))

    def values(self, t: Type) -> tuple[Any, ...]:
        """The values of a finite type in order: members, numbers, no before yes; absent first, as None."""
        if isinstance(t, Bool):
            return (False, True)
        if isinstance(t, Num):
            return tuple(range(t.lo, t.hi + 1))
        if isinstance(t, Sort):
            return tuple(range(len(self.sorts[t.name].members)))
        if isinstance(t, Option):
            return (None, *self.values(t.inner))
        raise TypeError(f"{t} has no list of values")
