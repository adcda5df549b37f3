"""Moves, chance outcomes and values as people write them: the spoken forms that a spec declares, both ways.

A template is text with parameters in braces and optional parts in brackets: "{p} builds {x} at {slot}[, coal from {coal}]".
An optional part is left out when its list is empty or its value is the default; a part without a parameter, such as
"[ flipped]", stands for the yes/no field of that name. In a move, `?` stands for a value that is not stated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from brassspec.formats import InputError
from brassspec.grammar.errors import nearest_name
from brassspec.rules.codec import Codec, shorten
from brassspec.rules.concrete import State
from brassspec.rules.model import Bool, Num, Option, Param, Record, Seq, Sort, StateVar, Transition, Type

MAX_LINE = 2_000  # characters of one move or value

_PIECE = re.compile(r"\{(\w+)\}|\[([^\[\]]*)\]|([^{}\[\]]+)")
_WORD = r"[^\s,]+"


@dataclass(frozen=True, slots=True)
class Template:
    """A compiled spoken form."""

    text: str
    pattern: re.Pattern[str]

    @staticmethod
    def of(text: str, types: dict[str, Type]) -> Template:
        return Template(text, re.compile(_regex(text, types), re.I))


def _regex(text: str, types: dict[str, Type]) -> str:
    out = []
    for name, optional, literal in _PIECE.findall(text):
        if name:
            word = f"{_WORD}(?: and {_WORD})*" if isinstance(types.get(name), Seq) else _WORD
            out.append(f"(?P<{name}>{word})")
        elif optional:
            flag = optional.strip()
            inner = _regex(optional, types)
            out.append(f"(?P<{flag}>{inner})?" if "{" not in optional and flag in types else f"(?:{inner})?")
        else:
            # Blanks may be any number; the rest is literal.
            out.append(r"\s+".join(re.escape(part) for part in re.split(r"\s+", literal)))
    return "".join(out)


# What is stated of a move: for each parameter the values it may have. A parameter that is missing is not stated at all.
Stated = dict[str, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Given:
    """What one line of a scenario states: these cells (flat indices; 0 of a scalar) of a variable."""

    var: StateVar
    cells: tuple[int, ...]


def is_left_out(value: Any, t: Type) -> bool:
    """Whether an optional part is not worth a word: an empty list, no, zero."""
    return value == () if isinstance(t, Seq) else not value if isinstance(t, Bool | Num) else False


class Speaker:
    """Writes and reads the spoken forms of one model."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.model = codec.model

    @cached_property
    def _actions(self) -> list[tuple[Transition, Template]]:
        return [(t, self.template(t)) for t in self.model.actions.values()]

    @cached_property
    def _chances(self) -> list[tuple[Transition, Template]]:
        return [(t, self.template(t)) for t in self.model.chances.values()]

    def template(self, t: Transition) -> Template:
        return Template.of(t.spoken, {p.name: p.type for p in t.params})

    # ------------------------------------------------------------ values

    def say(self, value: Any, t: Type) -> str:
        """A value in words: ids, £ amounts, a record's spoken form; a set as its members."""
        if isinstance(t, Num):
            return "-" + t.shown.format(-value) if value < 0 else str(t.shown.format(value))
        if isinstance(t, Bool):
            return "yes" if value else "no"
        if isinstance(t, Option):
            return t.absent if value is None else self.say(value, t.inner)
        if isinstance(t, Sort):
            return str(self.model.sorts[t.name].members[value])
        if isinstance(t, Record):
            record = self.model.records[t.name]
            return self.fill(record.spoken, {n: (v, ft) for v, (n, ft) in zip(value, record.fields, strict=True)})
        if isinstance(t, Seq):
            return " and ".join(self.say(v, t.inner) for v in value)
        return ", ".join(self.say(v, t.inner) for v in value) or "nothing"

    def fill(self, template: str, values: dict[str, tuple[Any, Type]]) -> str:
        out = []
        for name, optional, literal in _PIECE.findall(template):
            if name:
                out.append(self.say(*values[name]))
            elif optional:
                names = re.findall(r"\{(\w+)\}", optional) or [optional.strip()]
                if not any(is_left_out(*values[n]) for n in names):
                    out.append(self.fill(optional, values))
            else:
                out.append(literal)
        return "".join(out)

    def hear(self, text: str, t: Type, what: str) -> Any:
        """The value that a word (or a record's spoken form) stands for. Raises InputError where it is none."""
        text = text.strip()
        if len(text) > MAX_LINE:
            raise InputError(f"{what}: the text is too long")
        if isinstance(t, Option):
            return None if text.lower() == t.absent else self.hear(text, t.inner, what)
        if isinstance(t, Num):
            return self.number(text, t, what)
        if isinstance(t, Bool):
            if text.lower() in ("yes", "true", "no", "false"):
                return text.lower() in ("yes", "true")
            raise InputError(f"{what}: {shorten(text)} is neither yes nor no")
        if isinstance(t, Record):
            return self.hear_record(text, t, what)
        return self.codec.read(self.in_order(text.lower(), t), t, what)

    def in_order(self, text: str, t: Type) -> str:
        """An id whose parts are named in another order, `b--a` for `a--b`, as it stands in the spec."""
        if "--" in text and isinstance(t, Sort):
            parts = sorted(text.split("--"))
            return next((m for m in self.model.sorts[t.name].members if sorted(m.split("--")) == parts), text)
        return text

    def number(self, text: str, t: Num, what: str) -> int:
        before, after = t.shown.split("{}")
        sign, text = ("-", text[1:].strip()) if text.startswith("-") else ("", text)
        bare = sign + text.removeprefix(before).removesuffix(after).strip()
        if not re.fullmatch(r"-?\d{1,9}", bare):
            raise InputError(f"{what}: {shorten(text)} is no number {t.lo} to {t.hi}")
        return int(self.codec.read(int(bare), t, what))

    def hear_record(self, text: str, t: Record, what: str) -> tuple[Any, ...]:
        record = self.model.records[t.name]
        m = Template.of(record.spoken, dict(record.fields)).pattern.fullmatch(text)
        if m is None:
            raise InputError(f"{what}: {shorten(text)} is no {t.name.lower()}: write {record.spoken}")
        values: list[Any] = []
        for name, ft in record.fields:
            heard = m.groupdict().get(name)
            if isinstance(ft, Bool):
                values.append(heard is not None)
            elif heard is None:
                values.append(0 if isinstance(ft, Num) else None)
            else:
                values.append(self.hear(heard, ft, f"{what}, {name}"))
        return tuple(values)

    # ------------------------------------------------------------ moves

    def say_move(self, action: int, args: tuple[Any, ...]) -> str:
        """A move on one line; `parse_move` reads it back."""
        return self.say_transition(self._actions[action][0], args)

    def say_chance(self, chance: int, args: tuple[Any, ...]) -> str:
        return self.say_transition(self._chances[chance][0], args)

    def say_transition(self, t: Transition, args: tuple[Any, ...]) -> str:
        values: dict[str, tuple[Any, Type]] = {}
        rest = iter(args)
        for p in t.params:
            if isinstance(p.type, Seq):
                n = next(rest)
                elements = [next(rest) for _ in range(p.type.hi)]
                values[p.name] = (tuple(elements[:n]), p.type)
            else:
                values[p.name] = (next(rest), p.type)
        return self.fill(t.spoken, values)

    def parse_move(self, text: str) -> tuple[int, tuple[Any, ...]]:
        """(action's number, scalar arguments) of a move in full. Raises InputError where it is none or leaves something open."""
        action, stated = self.hear_move(text)
        t = self._actions[action][0]
        values: dict[str, Any] = {}
        for p in t.params:
            options = stated.get(p.name, ((),) if isinstance(p.type, Seq) and p.type.lo == 0 else ())
            if len(options) != 1:
                raise InputError(f"{shorten(text)}: it isn't stated which {p.name}: write {t.spoken}")
            values[p.name] = options[0]
        return action, self.codec.scalars(t, values)

    def hear_move(self, text: str) -> tuple[int, Stated]:
        """(action's number, what is stated of its parameters). Raises InputError where the text is no move."""
        i, stated = self._hear(text, self._actions, "move")
        return i, stated

    def parse_chance(self, text: str) -> tuple[int, tuple[Any, ...]]:
        i, stated = self._hear(text, self._chances, "chance outcome")
        t = self._chances[i][0]
        if any(len(stated.get(p.name, ())) != 1 for p in t.params):
            raise InputError(f"{shorten(text)}: write {t.spoken}")
        return i, tuple(stated[p.name][0] for p in t.params)

    def is_chance(self, text: str) -> bool:
        return any(tp.pattern.fullmatch(text.strip()) for _, tp in self._chances) and not any(
            tp.pattern.fullmatch(text.strip()) for _, tp in self._actions
        )

    def _hear(self, text: str, known: list[tuple[Transition, Template]], word: str) -> tuple[int, Stated]:
        text = text.strip()
        if len(text) > MAX_LINE:
            raise InputError(f"the {word} is too long")
        trouble: list[InputError] = []
        for i, (t, template) in enumerate(known):
            m = template.pattern.fullmatch(text)
            if m is None:
                continue
            try:
                return i, self._stated(t, m)
            except InputError as e:
                trouble.append(e)
        if trouble:
            raise trouble[0]
        spoken = [t.spoken for t, _ in known]
        raise InputError(f"{shorten(text)} is no {word}: {self._nearest(text, spoken)}")

    def _stated(self, t: Transition, m: re.Match[str]) -> Stated:
        stated: Stated = {}
        for p in t.params:
            heard = m.groupdict().get(p.name)
            if heard is None or heard == "?":
                continue
            if isinstance(p.type, Seq):
                words = [] if heard.lower() == "nothing" else re.split(r" and ", heard, flags=re.I)
                if not p.type.lo <= len(words) <= p.type.hi:
                    raise InputError(
                        f"{t.name}, {p.name}: {len(words)} values where {p.type.lo} to {p.type.hi} are due"
                    )
                stated[p.name] = (tuple(self.hear(w, p.type.inner, f"{t.name}, {p.name}") for w in words),)
            else:
                stated[p.name] = self.candidates(heard, p, t.name)
        return stated

    def candidates(self, text: str, p: Param, what: str) -> tuple[Any, ...]:
        """The values a word may stand for: one, or, where it is the first part of some ids (`oldham` of `oldham.1`), all those."""
        inner = p.type.inner if isinstance(p.type, Option) else p.type
        if isinstance(inner, Sort):
            members = self.model.sorts[inner.name].members
            whole = [i for i, m in enumerate(members) if m.rsplit(".", 1)[0] == text.lower()]
            if text.lower() not in members and whole:
                return tuple(whole)
        return (self.hear(text, p.type, f"{what}, {p.name}"),)

    def _nearest(self, text: str, spoken: list[str]) -> str:
        """The template that shares the most words with the text."""
        words = set(text.lower().split())
        best = max(spoken, key=lambda s: len(words & set(re.sub(r"[\[\]{}]", " ", s).split())))
        return f"did you mean: {best}" if words & set(best.split()) else "write: " + "; or ".join(spoken[:3])

    # ------------------------------------------------------------ positions

    def hear_given(self, text: str) -> tuple[StateVar, list[tuple[int, Any]]]:
        """What a line such as `tile[bury.1] = red coal_mine 1` states: the variable and (flat index, value) of each cell."""
        m = re.fullmatch(r"\s*(\w+)\s*(?:\[([^\]]*)\])?\s*=\s*(.*?)\s*", text)
        if m is None or len(text) > MAX_LINE:
            raise InputError(f"{shorten(text)} states nothing: write VARIABLE = VALUE or VARIABLE[KEY] = VALUE")
        var = self.variable(m[1])
        value = re.sub(r"\s+#.*$", "", m[3])
        keys = [k.strip() for k in m[2].split(",")] if m[2] is not None else []
        if var.display == "ranking" and not keys:
            names = [self.hear(w, var.keys[0], var.name) for w in value.split(",")]
            if sorted(names) != list(self.model.values(var.keys[0])):
                raise InputError(f"{var.name}: name each one once, in order")
            return var, [(k, names.index(k) + 1) for k in self.model.values(var.keys[0])]
        if var.display == "bag" and len(keys) == len(var.keys) - 1:
            return var, self._hear_bag(var, keys, value)
        return var, [(i, self.hear(value, var.type, var.name)) for i in self.cells(var, keys)]

    def variable(self, name: str) -> StateVar:
        if name not in self.model.state:
            raise InputError(f"the position has no {shorten(name)}: {nearest_name(name, self.model.state)}")
        return self.model.state[name]

    def _hear_bag(self, var: StateVar, keys: list[str], value: str) -> list[tuple[int, Any]]:
        item = var.keys[-1]
        counts = dict.fromkeys(self.model.values(item), 0)
        for word in [] if value.lower() == "nothing" else value.split(","):
            counts[self.hear(word, item, var.name)] += 1
        base = 0
        for k, t in zip(keys, var.keys, strict=False):
            base = base * self.model.size(t) + self.model.values(t).index(self.hear(k, t, var.name))
        base *= self.model.size(item)
        return [(base + i, n) for i, n in enumerate(counts.values())]

    def cells(self, var: StateVar, keys: list[str]) -> list[int]:
        """Flat indices of the cells that keys name: all keys of a map with several, or any number of one key."""
        if not var.keys:
            if keys:
                raise InputError(f"{var.name} takes no key")
            return [0]
        if len(var.keys) == 1 and keys:
            t = var.keys[0]
            return [self.model.values(t).index(self.hear(k, t, var.name)) for k in keys]
        if len(keys) != len(var.keys):
            raise InputError(f"{var.name} takes the keys [{', '.join(str(k) for k in var.keys)}]")
        index = 0
        for k, t in zip(keys, var.keys, strict=True):
            index = index * self.model.size(t) + self.model.values(t).index(self.hear(k, t, var.name))
        return [index]

    @cached_property
    def givens(self) -> tuple[Given, ...]:
        """The lines that together state a whole position: one a cell, a bag or a ranking."""
        out = []
        for name, var in self.model.state.items():
            count = len(self.codec.rules.keys(name)) if var.keys else 1
            size = self.model.size(var.keys[-1]) if var.display == "bag" else count if var.display == "ranking" else 1
            out += [Given(var, tuple(range(i, i + size))) for i in range(0, count, size)]
        return tuple(out)

    def value(self, state: State, given: Given) -> tuple[Any, ...]:
        """What a line states of a position: the values of its cells."""
        value = state[self.codec.rules.index[given.var.name]]
        return tuple(value[i] for i in given.cells) if given.var.keys else (value,)

    def differing(self, old: State, new: State) -> list[Given]:
        """The lines in which two positions differ."""
        return [g for g in self.givens if self.value(old, g) != self.value(new, g)]

    def say_given(self, state: State, given: Given) -> str:
        """A line as a scenario has it after `given`; `hear_given` reads it back."""
        var, values = given.var, self.value(state, given)
        if not var.keys:
            return f"{var.name} = {self.say(values[0], var.type)}"
        keys = self.codec.rules.keys(var.name)[given.cells[0]]
        if var.display == "ranking":
            order = sorted(zip(values, self.model.values(var.keys[0]), strict=True))
            return f"{var.name} = {', '.join(self.say(k, var.keys[0]) for _, k in order)}"
        if var.display == "bag":
            item, keys = var.keys[-1], keys[:-1]
            copies = zip(self.model.values(item), values, strict=True)
            said = ", ".join(self.say(v, item) for v, n in copies for _ in range(n)) or "nothing"
        else:
            said = self.say(values[0], var.type)
        names = ", ".join(self.say(k, t) for k, t in zip(keys, var.keys, strict=False))
        return f"{var.name}{f'[{names}]' if names else ''} = {said}"

    def hear_unknown(self, text: str) -> list[tuple[StateVar, int | None]]:
        """(variable, flat index) of what a line `unknown ...` names; None: the whole variable. `otherwise` gives an empty list."""
        out: list[tuple[StateVar, int | None]] = []
        for part in re.findall(r"\w+(?:\[[^\]]*\])?", text):
            m = re.fullmatch(r"(\w+)(?:\[([^\]]*)\])?", part)
            assert m is not None
            if m[1] == "otherwise":
                continue
            var = self.variable(m[1])
            if m[2] is None:
                out.append((var, None))
                continue
            keys = [k.strip() for k in m[2].split(",")]
            if var.display == "bag" and len(keys) == len(var.keys) - 1:
                out += [(var, i) for i, _ in self._hear_bag(var, keys, "nothing")]
            else:
                out += [(var, i) for i in self.cells(var, keys)]
        return out
