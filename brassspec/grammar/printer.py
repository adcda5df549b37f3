"""Specs in their canonical layout: spaces, indentation and rows in columns; words, comments and line breaks stay the author's.

The printer works on the tokens that the parser reads and knows the rules of the grammar only by these conventions, so that
the grammar can grow without it: newlines are free inside brackets; blocks are made by `_NL`, `_INDENT` and `_DEDENT`; a
node called `..._row` is the row of a table, each child a cell; a minus that begins a node is a sign.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from lark import Token, Tree

from brassspec.grammar.errors import Place, Problem, SpecError
from brassspec.grammar.parser import MAX_FILE, MAX_NESTING, Declaration, _lark, _nesting, parse, parse_expression

WIDTH = 140  # longer lines are broken where that is possible
STEP = 4  # spaces a level
BLANKS_WITHIN = 1  # blank lines in a row inside a declaration
BLANKS_BETWEEN = 2  # and between declarations
MAX_CELL = 60  # wider cells of a table don't stretch their column

_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
# The words that a long line may be broken before, the loosest first.
_BREAKS = ("implies", "or", "and")
_TRIES = 16  # expressions that are tried as the one to put in brackets


class LayoutError(RuntimeError):
    """A fault of the printer: what it printed would not be read as what it was given."""


def format_text(text: str, file: str) -> str:
    """A spec file in the canonical layout: read as the same declarations; formatting it again changes nothing.

    Raises SpecError with all syntax errors of a faulty file; `file` is what it is called there.
    """
    declarations, problems = parse(text, file)
    lines = text.splitlines()
    if not problems:
        problems = list(_stray(lines[: declarations[0].line - 1] if declarations else lines, file))
    if problems:
        raise SpecError(problems, {file: text})
    result, comments = _print(lines, declarations)
    if len(result) > MAX_FILE:
        cause = f"formatted, the file has {len(result)} characters"
        raise SpecError([Problem(Place(file, 1), cause, f"the limit is {MAX_FILE}")], {file: text})
    again, problems = parse(result, file)
    if problems or [_shape(d.tree) for d in again] != [_shape(d.tree) for d in declarations]:
        raise LayoutError(f"{file}: formatting would change what it says; it is left as it is")
    if _print(result.splitlines(), again) != (result, comments):
        raise LayoutError(f"{file}: formatting would lose a comment or not settle; it is left as it is")
    return result


def _stray(lines: Iterable[str], file: str) -> Iterator[Problem]:
    """Text before the first declaration that belongs to none."""
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield Problem(
                Place(file, number),
                "this belongs to no declaration",
                "a declaration starts in the first column, with a word",
            )


def _shape(tree: Tree[Any]) -> list[object]:
    """A tree without positions, flat, as deep ones can't be compared. Blanks at the end of a line count as positions."""
    out: list[object] = []
    todo: list[object] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, Tree):
            out.append((str(node.data), len(node.children)))
            todo.extend(node.children)
        else:
            out.append((node.type, node.rstrip(" \t")) if isinstance(node, Token) else node)
    return out


# ---- what there is to print


@dataclass(slots=True)
class _Word:
    """A token; `gap` is what stands between the token before and this one."""

    text: str
    kind: str
    start: int = -1
    end: int = -1
    line: int = 0
    gap: str = ""

    def is_keyword(self, words: Iterable[str]) -> bool:
        return self.text in words and self.kind == self.text.upper()


@dataclass(slots=True)
class _Part:
    """A line of a statement: its tokens and its comment. Without tokens it is a comment's line, or a blank one."""

    words: list[_Word]
    comment: str


@dataclass(slots=True)
class _Statement:
    """What stands between two ends of line that count: one line, or several where brackets are open at their ends."""

    level: int
    parts: list[_Part]
    step: int = STEP  # how much deeper its further lines are
    table: int = -1  # which rows it is aligned with, if it is a row
    cells: frozenset[int] = frozenset()  # where the cells of a row start


@dataclass(slots=True)
class _Remark:
    """A line with nothing but a comment, or with nothing at all."""

    text: str
    level: int


_Item = _Statement | _Remark


def _print(lines: Sequence[str], declarations: Iterable[Declaration]) -> tuple[str, list[str]]:
    """The text in the canonical layout; and all comments in order, blanks in them squeezed."""
    out: list[str] = []
    comments: list[str] = []

    def put(printed: Iterable[str], items: Iterable[_Item], limit: int) -> None:
        out.extend(_squeezed(printed, limit))
        for item in items:
            found = [item.text] if isinstance(item, _Remark) else [p.comment for p in item.parts]
            comments.extend(" ".join(c.removeprefix("#").split()) for c in found if c)

    at, columns = 0, [0]
    for d in declarations:
        between = list(_remarks(lines[at : d.line - 1], columns, 0))
        put(map(_remark_line, between), between, BLANKS_BETWEEN)
        content = _Content(d)
        put(content.printed(), content.items, BLANKS_WITHIN)
        at, columns = d.line - 1 + d.text.count("\n"), content.columns
    last = list(_remarks(lines[at:], columns, 0))
    put(map(_remark_line, last), last, BLANKS_BETWEEN)
    text = "\n".join(out).strip("\n")
    return text + "\n" if text else "", comments


def _squeezed(lines: Iterable[str], limit: int) -> Iterator[str]:
    """The lines with no more than so many blank ones in a row."""
    blank = 0
    for line in lines:
        blank = 0 if line else blank + 1
        if blank <= limit:
            yield line


def _remarks(lines: Iterable[str], columns: Sequence[int], level: int) -> Iterator[_Remark]:
    """Lines without tokens, before a statement of this level: each in the deepest open block that it is indented for.

    columns: where the lines of each level begin, up to that of the statement before.
    """
    for line in lines:
        yield _Remark(line.strip(), max(level, bisect_right(columns, _column(line)) - 1))


def _remark_line(remark: _Remark) -> str:
    return " " * (STEP * remark.level) + remark.text if remark.text else ""


def _column(line: str) -> int:
    """How far a line is indented, as the parser counts."""
    blank = line[: len(line) - len(line.lstrip(" \t"))]
    return len(blank) + 7 * blank.count("\t")


class _Content:
    """A declaration as statements and the remarks between them. columns: where the lines of each level begin at its end."""

    def __init__(self, d: Declaration) -> None:
        self.text = d.text
        self.items: list[_Item] = []
        self.columns: list[int] = []
        nodes = [n for n in d.tree.iter_subtrees() if not n.meta.empty]
        self.nodes = sorted(nodes, key=lambda n: (n.meta.start_pos, -n.meta.end_pos))
        self.starts = [n.meta.start_pos for n in self.nodes]
        self.signs = set(self.starts)
        rows = _rows(nodes)
        lines = d.text.splitlines()
        at = 0
        before: _Statement | None = None
        for level, words in _statements(d.text):
            if before and before.level < level:
                before.step = 2 * STEP  # apart from the block that follows
            first, last = words[0].line - 1, words[-1].line - 1
            self.items += _remarks(lines[at:first], self.columns, level)
            self.columns = [*self.columns[:level], _column(lines[first])]
            self._space(words)
            before = _Statement(level, _parts(lines[first : last + 1], words))
            end, table, cells = rows.get(words[0].start, (-1, -1, frozenset()))
            if end == words[-1].end and len(before.parts) == 1:
                before.table, before.cells = table, cells
            self.items.append(before)
            at = last + 1

    def _space(self, words: Sequence[_Word]) -> None:
        """Sets the gaps between the tokens of a statement."""
        roomy = _roomy(words)
        for a, b in pairwise(words):
            if a.text == "{" or b.text == "}":
                b.gap = " " if (a if a.text == "{" else b).start in roomy else ""
            else:
                b.gap = _gap(a, b, a.start in self.signs)

    def printed(self) -> Iterator[str]:
        tables = _tables(self.items)
        for item in self.items:
            if id(item) in tables:
                yield " " * (STEP * item.level) + tables[id(item)]
            elif isinstance(item, _Remark):
                yield _remark_line(item)
            else:
                self._wrap(item)
                yield from _Lines(item).printed()

    def _wrap(self, statement: _Statement) -> None:
        """Puts an expression in brackets, on lines of its own, where it makes a line too long."""
        words = statement.parts[0].words
        if len(statement.parts) > 1 or STEP * statement.level + _width(words) <= WIDTH:
            return
        breaks = []
        depth = 0
        for i, w in enumerate(words):
            depth += (w.text in _OPEN) - (w.text in _CLOSE)
            if depth == 0 and _rank(words, i) is not None:
                breaks.append(w.start)
        if not breaks or _nesting(self.text) >= MAX_NESTING:
            return
        tries = 0
        for n in self.nodes[bisect_left(self.starts, words[0].start) : bisect_left(self.starts, words[-1].end)]:
            start, end = n.meta.start_pos, n.meta.end_pos
            inside = bisect_right(breaks, start)
            if tries == _TRIES or end > words[-1].end or inside == len(breaks) or breaks[inside] > end:
                continue
            tries += 1
            # Brackets change nothing around what is an expression by itself.
            alone = parse_expression(self.text[start:end])
            if alone is not None and _shape(alone) == _shape(n):
                first = next(i for i, w in enumerate(words) if w.start == start)
                last = next(i for i, w in enumerate(words) if w.end == end)
                head = [*words[:first], _Word("(", "LPAR")]
                tail = [_Word(")", "RPAR"), *words[last + 1 :]]
                within = words[first : last + 1]
                self._space([*head, *within, *tail])
                statement.parts = [_Part(head, ""), _Part(within, ""), _Part(tail, statement.parts[0].comment)]
                return


def _statements(text: str) -> Iterator[tuple[int, list[_Word]]]:
    """The level and the tokens of each statement of a declaration that is known to be sound."""
    level = 0
    words: list[_Word] = []
    for t in _lark().parse_interactive(text, start="start").iter_parse():
        if t.type == "_INDENT":
            level += 1
        elif t.type == "_DEDENT":
            level -= 1
        elif t.type != "_NL":
            words.append(_Word(t.rstrip(" \t"), t.type, t.start_pos, t.end_pos, t.line))
        elif words:
            yield level, words
            words = []


def _parts(lines: Iterable[str], words: Sequence[_Word]) -> list[_Part]:
    """The lines of a statement; its tokens stand in them in order, and what follows the last one is a comment."""
    parts = []
    at = 0
    for number, line in enumerate(lines, start=words[0].line):
        begin = at
        while at < len(words) and words[at].line == number:
            at += 1
        on_line = list(words[begin:at])
        after = 0
        for w in on_line:
            after = line.index(w.text, after) + len(w.text)
        parts.append(_Part(on_line, line[after:].strip()))
    return parts


def _rows(nodes: Iterable[Tree[Any]]) -> dict[int, tuple[int, int, frozenset[int]]]:
    """The rows of tables by where they start: (end, which table, where the cells start)."""
    found = {}
    for table, node in enumerate(nodes):
        for row in node.children:
            if isinstance(row, Tree) and row.data.endswith("_row") and not row.meta.empty:
                cells = [c if isinstance(c, Token) else c.meta for c in row.children if c is not None]
                found[row.meta.start_pos] = (
                    row.meta.end_pos,
                    table,
                    frozenset(getattr(c, "start_pos", -1) for c in cells),
                )
    return found


# ---- spaces


def _gap(a: _Word, b: _Word, signed: bool) -> str:
    """What stands between two tokens; signed: the first begins a node, so it is a sign if it is a minus."""
    if a.text in ("(", "[", ".", "..") or b.text in (")", "]", ".", "..", ",", ":", "?"):
        return ""
    if b.text in ("(", "["):
        return "" if a.kind in ("NAME", "TYPE") or a.text in _CLOSE else " "
    return "" if a.text == "-" and signed else " "


def _roomy(words: Iterable[_Word]) -> set[int]:
    """Where the braces stand that have spaces inside: those around `x in A where p`, not those around `a, b`."""
    found: set[int] = set()
    open_: list[list[int]] = []  # of each open bracket its place, and again if it is roomy
    for w in words:
        if w.text in _OPEN:
            open_.append([w.start])
        elif w.text in _CLOSE:
            if len(place := open_.pop()) > 1:
                found |= {place[0], w.start}
        elif open_ and w.is_keyword(("in", "where", "for")):
            open_[-1].append(w.start)
    return found


# ---- lines


def _width(words: Sequence[_Word]) -> int:
    return sum(len(w.gap) + len(w.text) for w in words) - len(words[0].gap)


def _text(words: Sequence[_Word]) -> str:
    return "".join(w.gap + w.text for w in words)[len(words[0].gap) :]


def _rank(words: Sequence[_Word], i: int) -> int | None:
    """How tightly the word binds, if the line may be broken before it. (`or` after a type is part of a type.)"""
    w = words[i]
    if i == 0 or not w.is_keyword(_BREAKS) or (w.text == "or" and words[i - 1].kind == "TYPE"):
        return None
    return _BREAKS.index(w.text)


def _deeper(words: Sequence[_Word]) -> dict[int, int]:
    """How much deeper a line is that begins with one of the words that lines are broken before, by where the word stands.

    A level for each of those that bind less among the words beside it: `and` is under `or` where both are in a bracket.
    """
    found: dict[int, int] = {}

    def close(beside: dict[int, int]) -> None:
        ranks = sorted(set(beside.values()))
        found.update((start, ranks.index(rank)) for start, rank in beside.items())

    beside: list[dict[int, int]] = [{}]
    for i, w in enumerate(words):
        rank = _rank(words, i)
        if rank is not None:
            beside[-1][w.start] = rank
        elif w.text in _OPEN:
            beside.append({})
        elif w.text in _CLOSE:
            close(beside.pop())
        elif w.text == ",":
            close(beside.pop())
            beside.append({})
    return found


class _Lines:
    """The lines of a statement."""

    def __init__(self, statement: _Statement) -> None:
        self.parts = statement.parts
        self.base = STEP * statement.level
        self.step = statement.step
        self.open: list[
            tuple[int, int]
        ] = []  # of each open bracket: how deep its line is, and those that follow inside it
        self.deeper = _deeper([w for part in statement.parts for w in part.words])

    def printed(self) -> Iterator[str]:
        for part in self.parts:
            if part.words:
                *lines, last = self._broken(part.words)
                yield from lines
                yield f"{last}  {part.comment}" if part.comment else last
            else:
                yield " " * self._indent([]) + part.comment if part.comment else ""

    def _indent(self, words: Sequence[_Word]) -> int:
        """Of a line with these tokens. One that begins by closing brackets is as deep as the line that opened them."""
        closed = next((i for i, w in enumerate(words) if w.text not in _CLOSE), len(words))
        if closed:
            return self.open[-closed][0]
        deeper = self.deeper.get(words[0].start, 0) if words else 0
        return (self.open[-1][1] if self.open else self.base) + STEP * deeper

    def _broken(self, words: Sequence[_Word]) -> Iterator[str]:
        """The tokens of a line, on more than one where it would be too long and can be broken."""
        indent = self._indent(words)
        breaks = self._breaks(words) if indent + _width(words) > WIDTH else []
        if not breaks:
            yield " " * indent + _text(words)
            for w in words:
                if w.text in _OPEN:
                    step = self.step if indent == self.base and w is not words[-1] else STEP
                    self.open.append((indent, indent + step))
                elif w.text in _CLOSE:
                    self.open.pop()
            return
        reach = [0, *accumulate(len(w.gap) + len(w.text) for w in words)]
        begin = 0
        for end, beyond in zip([*breaks, len(words)], [*breaks[1:], len(words), None], strict=True):
            room = WIDTH - self._indent(words[begin : begin + 1]) + len(words[begin].gap)
            if beyond is None or reach[beyond] - reach[begin] > room:
                yield from self._broken(words[begin:end])
                begin = end

    def _breaks(self, words: Sequence[_Word]) -> list[int]:
        """Where a line is broken first: before the loosest of the words that stand in the fewest brackets."""
        found: dict[tuple[int, int], list[int]] = {}
        depth = len(self.open)
        for i, w in enumerate(words):
            depth += (w.text in _OPEN) - (w.text in _CLOSE)
            rank = _rank(words, i)
            if depth and rank is not None:
                found.setdefault((depth, rank), []).append(i)
        return found[min(found)] if found else []


# ---- tables


def _tables(items: Iterable[_Item]) -> dict[int, str]:
    """The rows of all tables and the comments that head their columns, by the id of the item, not yet indented."""
    rows: dict[int, list[_Statement]] = {}
    remarks: dict[int, list[_Remark]] = {}
    above: list[_Remark] = []
    for item in items:
        if isinstance(item, _Remark):
            above.append(item)
        else:
            if item.table >= 0:
                rows.setdefault(item.table, []).append(item)
                remarks.setdefault(item.table, []).extend(r for r in above if r.level == item.level)
            above = []
    found: dict[int, str] = {}
    for table, those in rows.items():
        found.update(_aligned(those, remarks[table]))
    return found


def _aligned(rows: Sequence[_Statement], remarks: Iterable[_Remark]) -> Iterator[tuple[int, str]]:
    split = [_cells(row) for row in rows]
    titled = any(len(cells) > 1 and cells[1].startswith('"') for cells in split)
    for cells in split:
        if titled and len(cells) > 1 and not cells[1].startswith('"'):
            cells.insert(1, "")
    count = max(map(len, split))
    heads = {id(r): head for r in remarks if (head := _head(r.text, count))}
    widths = [0] * count
    numbers = [
        i > 0 for i in range(count)
    ]  # those to the right; not the first: where lines begin is what the parser reads
    for cells in split:
        for i, cell in enumerate(cells):
            numbers[i] = numbers[i] and re.fullmatch(r"-?[0-9]+|", cell) is not None
    for cells in [*split, *heads.values()]:
        for i, cell in enumerate(cells):
            widths[i] = max(widths[i], len(cell) if len(cell) <= MAX_CELL else 0)

    def line(cells: Sequence[str]) -> str:
        return "  ".join(c.rjust(widths[i]) if numbers[i] else c.ljust(widths[i]) for i, c in enumerate(cells)).rstrip(
            " "
        )

    for key, head in heads.items():
        yield key, line(head)
    lines = [line(cells) for cells in split]
    margin = min(WIDTH, max(map(len, lines)))
    for row, text in zip(rows, lines, strict=True):
        comment = row.parts[0].comment
        yield id(row), f"{text.ljust(margin)}  {comment}" if comment else text


def _cells(row: _Statement) -> list[str]:
    words = row.parts[0].words
    starts = [i for i, w in enumerate(words) if i == 0 or w.start in row.cells]
    return [_text(words[a:b]) for a, b in zip(starts, [*starts[1:], len(words)], strict=True)]


def _head(comment: str, columns: int) -> list[str] | None:
    """The words of a comment that heads the columns of a table, or all but the first: as many, and set apart by more than a space."""
    words = comment[1:].split()
    if columns < 2 or not columns - 1 <= len(words) <= columns or not re.search(r"[ \t]{2}|\t", comment):
        return None
    return ["#", *words] if len(words) < columns else [f"# {words[0]}", *words[1:]]
