"""Positions, moves, chance outcomes and events between the concrete meaning's tuples and plain data (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from brassspec.formats import InputError, Plain, Position
from brassspec.grammar.errors import nearest_name
from brassspec.rules.concrete import RawEvent, Rules, State
from brassspec.rules.model import Bool, Model, Num, Option, Record, Seq, Sort, StateVar, Transition, Type


class Codec:
    """Reads and writes plain data of one model. Everything read is checked; InputError names the place and the remedy."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.model: Model = rules.model
        self._writers: dict[Type, Callable[[Any], Any]] = {}
        # Of each transition its parameters: name, what writes them, and of a list its longest length.
        self._params: dict[str, list[tuple[str, Callable[[Any], Any], int | None]]] = {}

    # ------------------------------------------------------------ values

    def write(self, value: Any, t: Type) -> Any:
        """A value as plain data."""
        return self.writer(t)(value)

    def writer(self, t: Type) -> Callable[[Any], Any]:
        """What writes the values of a type: made once a type, since much is written when opinions are compared."""
        found = self._writers.get(t)
        if found is None:
            found = self._writers[t] = self._make_writer(t)
        return found

    def _make_writer(self, t: Type) -> Callable[[Any], Any]:
        if isinstance(t, Sort):
            return self.model.sorts[t.name].members.__getitem__
        if isinstance(t, Bool | Num):
            return lambda value: value
        if isinstance(t, Option):
            absent, inner = None if t.absent == "none" else t.absent, self.writer(t.inner)
            return lambda value: absent if value is None else inner(value)
        if isinstance(t, Record):
            fields = [(name, self.writer(ft)) for name, ft in self.model.records[t.name].fields]
            return lambda value: {name: write(v) for v, (name, write) in zip(value, fields, strict=True)}
        if isinstance(t, Seq):
            element = self.writer(t.inner)
            return lambda value: [element(v) for v in value]
        raise TypeError(str(t))

    def read(self, data: Any, t: Type, place: str) -> Any:
        """The value that plain data stands for. Raises InputError where it is none of type `t`."""
        if isinstance(t, Sort):
            members = self.model.sorts[t.name].members
            if not isinstance(data, str) or data not in members:
                raise InputError(
                    f"{place}: {shorten(data)} is no {t.name.lower()}: {nearest_name(str(data)[:60], members)}"
                )
            return members.index(data)
        if isinstance(t, Num):
            if not isinstance(data, int) or isinstance(data, bool) or not t.lo <= data <= t.hi:
                raise InputError(f"{place}: {shorten(data)} is no number {t.lo} to {t.hi}")
            return data
        if isinstance(t, Bool):
            if not isinstance(data, bool):
                raise InputError(f"{place}: {shorten(data)} is neither true nor false")
            return data
        if isinstance(t, Option):
            if (data is None and t.absent == "none") or (isinstance(data, str) and data == t.absent):
                return None
            return self.read(data, t.inner, place)
        if isinstance(t, Record):
            fields = self.model.records[t.name].fields
            if not isinstance(data, dict):
                raise InputError(
                    f"{place}: {shorten(data)} is no {t.name.lower()}: an object with {', '.join(n for n, _ in fields)} is due"
                )
            unknown = [k for k in data if k not in dict(fields)]
            if unknown:
                raise InputError(f"{place}: a {t.name.lower()} has no {shorten(unknown[0])}")
            missing = [n for n, _ in fields if n not in data]
            if missing:
                raise InputError(f"{place}: {missing[0]} is missing")
            return tuple(self.read(data[n], ft, f"{place}.{n}") for n, ft in fields)
        if isinstance(t, Seq):
            if not isinstance(data, list) or not t.lo <= len(data) <= t.hi:
                raise InputError(f"{place}: a list of {t.lo} to {t.hi} values is due, not {shorten(data)}")
            return tuple(self.read(v, t.inner, f"{place}[{i}]") for i, v in enumerate(data))
        raise TypeError(str(t))

    def key(self, text: Any, t: Type, place: str) -> Any:
        """A key of a JSON object: numbers are written as text there."""
        if isinstance(t, Num) and isinstance(text, str) and text.lstrip("-").isdigit() and len(text) < 10:
            return self.read(int(text), t, place)
        return self.read(text, t, place)

    # ------------------------------------------------------------ positions

    def position(self, state: State) -> Position:
        """A state in canonical form."""
        out: Plain = {}
        for var, value in zip(self.model.state.values(), state, strict=True):
            out[var.name] = self.write_var(var, value)
        return Position(self.model.ruleset, self.model.players, out)

    def write_var(self, var: StateVar, value: Any) -> Any:
        if not var.keys:
            return self.write(value, var.type)
        if var.display == "ranking":
            key = var.keys[0]
            places = sorted(zip(value, self.model.values(key), strict=True))
            return [self.write(k, key) for _, k in places]
        return self.write_map(var, value, 0, 0)

    def write_map(self, var: StateVar, flat: Any, depth: int, offset: int) -> Any:
        """The entries from `offset` on for the keys from `depth` on; those that are 0, false or nothing are left out."""
        key = var.keys[depth]
        values = self.model.values(key)
        last = depth == len(var.keys) - 1
        if last and var.display == "bag":
            name = self.writer(key)
            return [name(k) for k, n in zip(values, flat[offset:], strict=False) if n for _ in range(n)]
        stride = 1
        for k in var.keys[depth + 1 :]:
            stride *= self.model.size(k)
        out: Plain = {}
        name, write, is_number = self.writer(key), self.writer(var.type), isinstance(var.type, Num)
        for i, k in enumerate(values):
            if last:
                v = flat[offset + i]
                if v is None or v is False or (v == 0 and is_number):
                    continue
                out[str(name(k))] = write(v)
            else:
                inner = self.write_map(var, flat, depth + 1, offset + i * stride)
                if inner:
                    out[str(name(k))] = inner
        return out

    def state(self, position: Position, check: bool = True) -> State:
        """The state of a position. Left-out variables are as at set-up, left-out entries 0, false or nothing.

        Raises InputError where the position is not well formed or, with `check`, breaks an invariant.
        """
        given: dict[str, Any] = {}
        if not isinstance(position.state, dict):
            raise InputError("state: an object with one entry a variable is due")
        for name, data in position.state.items():
            if name not in self.model.state:
                raise InputError(
                    f"state: there is no variable {shorten(name)}: {nearest_name(str(name)[:60], self.model.state)}"
                )
            given[name] = self.read_var(self.model.state[name], data)
        state = self.rules.defaults(given)
        self.check_bounds(state)
        if check:
            broken = self.rules.broken(state)
            if broken:
                sentences = {p.name: p.sentence for p in self.model.properties}
                raise InputError(
                    "the position breaks " + "; ".join(f"{b} ({sentences[b]})" if sentences[b] else b for b in broken)
                )
        return state

    def check_bounds(self, state: State) -> None:
        """Raises InputError where a value that was computed for an unstated variable lies outside its bounds."""
        for var, value in zip(self.model.state.values(), state, strict=True):
            t = var.type
            cells = value if var.keys else (value,)
            for i, v in enumerate(cells):
                bad = v is not None and not isinstance(v, int | bool | tuple)
                if bad or (isinstance(t, Num) and not (isinstance(v, int) and t.lo <= v <= t.hi)):
                    where = var.name
                    if var.keys:
                        where += (
                            "["
                            + ", ".join(
                                str(self.write(k, kt))
                                for k, kt in zip(self.rules.keys(var.name)[i], var.keys, strict=True)
                            )
                            + "]"
                        )
                    raise InputError(
                        f"{where} would be {shorten(v)}: what is stated elsewhere in the position leaves no room for it ({t})"
                    )

    def read_var(self, var: StateVar, data: Any) -> Any:
        if not var.keys:
            return self.read(data, var.type, var.name)
        if var.display == "ranking":
            key = var.keys[0]
            members = self.model.values(key)
            if not isinstance(data, list) or len(data) != len(members):
                raise InputError(f"{var.name}: a list of all {len(members)} is due, not {shorten(data)}")
            order = [self.read(d, key, f"{var.name}[{i}]") for i, d in enumerate(data)]
            if sorted(order) != list(members):
                raise InputError(f"{var.name}: somebody stands there twice")
            return tuple(order.index(k) + 1 for k in members)
        out: list[Any] = []
        self.read_map(var, data, 0, out, var.name)
        return tuple(out)

    def read_map(self, var: StateVar, data: Any, depth: int, out: list[Any], place: str) -> None:
        key = var.keys[depth]
        values = self.model.values(key)
        last = depth == len(var.keys) - 1
        if last and var.display == "bag":
            if not isinstance(data, list | type(None)) or len(data or ()) > 1000:
                raise InputError(f"{place}: a list is due, not {shorten(data)}")
            counts = dict.fromkeys(values, 0)
            for i, d in enumerate(data or ()):
                counts[self.read(d, key, f"{place}[{i}]")] += 1
            out.extend(self.read(n, var.type, f"{place} (copies of one)") for n in counts.values())
            return
        if data is None:
            data = {}
        if not isinstance(data, dict):
            raise InputError(f"{place}: an object is due, not {shorten(data)}")
        entries = {self.key(k, key, f"{place}: {shorten(k)}"): d for k, d in data.items()}
        for k in values:
            there = f"{place}.{self.write(k, key)}"
            if not last:
                self.read_map(var, entries.get(k), depth + 1, out, there)
            elif k in entries:
                out.append(self.read(entries[k], var.type, there))
            else:
                out.append(self.zero(var, there))

    def zero(self, var: StateVar, place: str) -> Any:
        if isinstance(var.type, Bool):
            return False
        if isinstance(var.type, Option):
            return None
        if isinstance(var.type, Num) and var.type.lo <= 0 <= var.type.hi:
            return 0
        raise InputError(f"{place} is missing")

    # ------------------------------------------------------------ moves, chance, events

    def write_args(self, t: Transition, args: tuple[Any, ...]) -> Plain:
        params = self._params.get(t.name)
        if params is None:
            params = self._params[t.name] = [
                (p.name, self.writer(p.type), p.type.hi if isinstance(p.type, Seq) else None) for p in t.params
            ]
        out: Plain = {}
        at = 0
        for name, write, longest in params:
            if longest is None:
                out[name] = write(args[at])
                at += 1
            else:
                out[name] = write(args[at + 1 : at + 1 + args[at]])
                at += 1 + longest
        return out

    def move(self, action: int, args: tuple[Any, ...]) -> Plain:
        name = self.rules.action_names[action]
        return {"action": name, **self.write_args(self.model.actions[name], args)}

    def chance(self, chance: int, args: tuple[Any, ...]) -> Plain:
        name = self.rules.chance_names[chance]
        return {"chance": name, **self.write_args(self.model.chances[name], args)}

    def event(self, event: RawEvent) -> Plain:
        name = self.rules.event_names[event[0]]
        return {
            "event": name,
            **{p.name: self.write(v, p.type) for p, v in zip(self.model.events[name], event[1:], strict=True)},
        }

    def scalars(self, t: Transition, values: dict[str, Any]) -> tuple[Any, ...]:
        """Parameter values as the scalar arguments of a transition, in canonical order."""
        for names in t.either_order:
            values.update(zip(names, sorted(values[name] for name in names), strict=True))
        args: list[Any] = []
        for p in t.params:
            v = values[p.name]
            if isinstance(p.type, Seq):
                args += [len(v), *v, *[None] * (p.type.hi - len(v))]
            else:
                args.append(v)
        return tuple(args)


def shorten(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 60 else text[:57] + "..."
