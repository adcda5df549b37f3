"""The canonical layout: it says the same, keeps every comment, settles at once, and bad text is refused with all its errors."""

from __future__ import annotations

import json
import os
import random
import re
import stat
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brassspec.cli.main import main
from brassspec.grammar import printer
from brassspec.grammar.errors import SpecError
from brassspec.grammar.parser import parse
from brassspec.grammar.printer import WIDTH, LayoutError, format_text

HERE = Path(__file__).parent.parent
RELAY = (HERE / "data" / "relay.brass").read_text(encoding="utf-8")
SHIPPED = sorted((HERE.parent / "specs").rglob("*.brass"))
UGLY = "define  x=1+2# why\n"
NEAT = "define x = 1 + 2  # why\n"


def trees(text: str) -> list[object]:
    declarations, problems = parse(text, "x.brass")
    assert problems == []
    return [d.tree for d in declarations]


def formatted(text: str) -> str:
    """The layout of a text, after a check of what holds for all layouts."""
    result = format_text(text, "x.brass")
    assert format_text(result, "x.brass") == result
    # Blanks at the end of a raw line are part of its token, but say nothing.
    assert trees(result) == trees(re.sub(r"[ \t]+$", "", text, flags=re.M))
    assert result == "" or re.fullmatch(r"\S.*[^\n]\n", result, re.S)
    assert "\n\n\n\n" not in result
    assert all(line == line.rstrip() for line in result.split("\n"))
    return result


def words_of(text: str) -> str:
    return re.sub(r"[\s()]+", "", text)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_shipped_specs(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert words_of(formatted(text)) == words_of(text)


# ---- noise: text that says the same in another layout

_TOKEN = re.compile(r'"[^"\n]*"|#.*|[a-z]+[a-z0-9]*(?:-[a-z0-9]+)+|\w+(?:--\w+|\.[0-9]+)*|\.\.|:=|=>|<=|>=|!=|\S')
_RAW = re.compile(r"\s*(?:>|given\b|unknown\b|#|$)")


def noisy(text: str, chance: random.Random, lines_too: bool) -> str:
    """The text with other spaces and another indentation; lines_too: with further lines, line breaks and comments."""
    unit = chance.choice([" ", "\t"])
    deep = [0]
    while len(deep) < 12:
        deep.append(deep[-1] + chance.randint(1, 5))
    serial = depth = seen = 0

    def blank() -> str:
        return chance.choice(["", "", " ", "  ", "\t "])

    def comment() -> str:
        nonlocal serial
        serial += 1
        return f'# noise ({serial}: "{blank()}'

    out: list[str] = []
    for line in text.splitlines():
        indent = unit * deep[(len(line) - len(line.lstrip())) // 4]
        if lines_too and out and depth == 0 and chance.random() < 0.2:
            out += chance.choice(
                [[blank()], ["", "", "", ""], [indent + comment()], ["", comment(), ""], [blank() + comment()] * seen]
            )
        if _RAW.match(line):
            out.append((indent + line.strip() if line.strip() else "") + blank())
            continue
        made, before, seen = indent, "", 1
        for token in _TOKEN.findall(line):
            made += (
                " " * chance.randint(1, 3)
                if re.fullmatch(r"\w\w|\w\"|\"\w|.#", before[-1:] + token[:1])
                else blank() * bool(before)
            )
            depth += (token in "([{") - (token in ")]}")
            before = token
            made += token
            if lines_too and depth and chance.random() < 0.1:
                made += (
                    chance.choice([blank(), comment()])
                    + "\n"
                    + chance.choice(["", "\t" + comment() + "\n\n"])
                    + " "
                    + blank()
                )
                before = ""
        if lines_too and depth == 0 and "#" not in line and chance.random() < 0.2:
            made += blank() + comment()
        out.append(made + blank())
    return "\n".join(out) + chance.choice(["", "\n", "\n\n \n"])


@settings(max_examples=12, derandomize=True, deadline=None)
@given(st.integers(0, 2**32))
def test_other_spaces_make_no_difference(seed: int) -> None:
    assert formatted(noisy(RELAY, random.Random(seed), lines_too=False)) == format_text(RELAY, "x.brass")


@settings(max_examples=20, derandomize=True, deadline=None)
@given(st.integers(0, 2**32))
def test_noise_is_put_in_order_and_nothing_is_lost(seed: int) -> None:
    text = noisy(RELAY, random.Random(seed), lines_too=True)
    result = formatted(text)
    assert words_of(result) == words_of(text)
    assert re.findall("# noise .[0-9]+", result) == re.findall("# noise .[0-9]+", text)


# ---- what it looks like


def test_relay_is_formatted() -> None:
    assert formatted(RELAY) == RELAY


LAYOUTS = {
    "spaces": (
        "define x( a:Slot?,b : 1 ..  3 )=f( a,g [ -1 ] )+2*b - -1\n",
        "define x(a: Slot?, b: 1..3) = f(a, g[-1]) + 2 * b - -1\n",
    ),
    "braces": (
        "define x = count {s in S where s in { a,b }}=sum{1 for s in S}\n",
        "define x = count { s in S where s in {a, b} } = sum { 1 for s in S }\n",
    ),
    "braces in braces": ("define x = {f({s in S}),{ }}\n", "define x = {f({ s in S }), {}}\n"),
    "qualified": ("define x = tile [ s ] . owner=Slot . a--b\n", "define x = tile[s].owner = Slot.a--b\n"),
    "title before keys": ('state:\n  a "b"[p:P]:0 .. 2=1\n', 'state:\n    a "b" [p: P]: 0..2 = 1\n'),
    "carriage returns": ("define x = 1\r\n\r\ndefine y = 2\r\n", "define x = 1\n\ndefine y = 2\n"),
    "no end of line": ("define x = 1", "define x = 1\n"),
    "nothing": ("", ""),
    "blanks": (" \n\n\t\n", ""),
    "a comment": ("\n#  a  \n", "#  a\n"),
    "blank lines": (
        "\n\ndefine x = 1\n\n\n\n\n# c\n\ndefine y = 2\nstate:\n\n\n  a: 0..1 = 0\n\n\n  b: 0..1 = 0\n\n\n",
        "define x = 1\n\n\n# c\n\ndefine y = 2\nstate:\n\n    a: 0..1 = 0\n\n    b: 0..1 = 0\n",
    ),
    "comments in blocks": (
        "action a:#0\n   #1\n  if x:\n      #2\n      do b\n      #3\n    #4\n  #5\n  do c\n #6\n  #7\n#8\n",
        "action a:  #0\n    #1\n    if x:\n        #2\n        do b\n        #3\n    #4\n    #5\n    do c\n#6\n    #7\n#8\n",
    ),
    "comments in brackets": (
        "define x = (a#1\n #2\n\n  and b #3\n  ) # 4\n",
        "define x = (a  #1\n    #2\n\n    and b  #3\n)  # 4\n",
    ),
    "line breaks are the author's": (
        "define x = f(\n a,\n  b\n  )\naction a:\n if f(a,\n   b):\n  do c(\n  d)\n",
        "define x = f(\n    a,\n    b\n)\naction a:\n    if f(a,\n            b):\n        do c(\n            d)\n",
    ),
    "and below or": (
        "define x = (\n a\n or b\n and (c or d\n and e)\n)\n",
        "define x = (\n    a\n    or b\n        and (c or d\n                and e)\n)\n",
    ),
    "raw lines": (
        'scenario "s":\n  given  tile[ a ]=b # c  \n  >  ann   lays "\n  =>legal:x=1\n',
        'scenario "s":\n    given  tile[ a ]=b # c\n    >  ann   lays "\n    => legal: x = 1\n',
    ),
    "columns": (
        "table t(a: A) gives b: 0..99 = 0, c: C, d: set of D:\n a 1 none {x,y}\n bcd 10 e { }\n\n # f\n g -2 h {y}#i\n",
        "table t(a: A) gives b: 0..99 = 0, c: C, d: set of D:\n"
        "    a     1  none  {x, y}\n    bcd  10  e     {}\n\n    # f\n    g    -2  h     {y}     #i\n",
    ),
    "a header": (
        "table t(a: A) gives b: 0..9, c: C:\n #  size   other\n #a   b  c\n # three plain words\n a 1 x\n longer 2 y\n",
        "table t(a: A) gives b: 0..9, c: C:\n"
        "    #       size  other\n    # a        b  c\n    # three plain words\n    a          1  x\n    longer     2  y\n",
    ),
    "numbers that lines begin with": (
        "table t(a: 0..10) gives b: 0..99:\n -1 5\n 10 50\n",
        "table t(a: 0..10) gives b: 0..99:\n    -1   5\n    10  50\n",
    ),
    "titles that are missing": (
        'sort S "s" (a: A):\n x "X y" b\n long c\n',
        'sort S "s" (a: A):\n    x     "X y"  b\n    long         c\n',
    ),
    "a row on two lines": (
        "sort S (a: set of A):\n x {a,\n b}\n long {c}\n",
        "sort S(a: set of A):\n    x {a,\n        b}\n    long  {c}\n",
    ),
    "citations of figures": (
        'sort S "s"(a:A)cites b "C",d "E" :\n x 1\ntable t(a: A) gives b: 0..9 = 0  cites b "C":\n x  1\n'
        'define f(a:A)cites b "C"=2\nreplace define f cites b "C":3\nreplace initial v cites b "C" : 4\n'
        'replace table t cites b "C" :\n x   5\n',
        'sort S "s" (a: A) cites b "C", d "E":\n    x  1\ntable t(a: A) gives b: 0..9 = 0 cites b "C":\n    x  1\n'
        'define f(a: A) cites b "C" = 2\nreplace define f cites b "C": 3\nreplace initial v cites b "C": 4\n'
        'replace table t cites b "C":\n    x  5\n',
    ),
    "a wide cell": (f'sort S "s":\n {"x" * 61}  "t"\n y    "u"\n', f'sort S "s":\n    {"x" * 61}  "t"\n    y  "u"\n'),
}


@pytest.mark.parametrize(("text", "wanted"), LAYOUTS.values(), ids=LAYOUTS.keys())
def test_layouts(text: str, wanted: str) -> None:
    assert formatted(text) == wanted


A, B, C = ("a" * 60, "b" * 60, "c" * 60)
LONG = {
    "an expression on its own line": (
        f"define x =\n    {A} and {B} and {C}\n",
        f"define x =\n    (\n        {A} and {B}\n        and {C}\n    )\n",
    ),
    "one after other words": (
        f"step s when {A} = f({B}, d) and e: # why\n    do x\n",
        f"step s when (\n    {A} = f({B}, d) and e\n):  # why\n    do x\n",
    ),
    "the loosest first": (
        f"define x = {A} and {B} or some s in S: {C} and d implies e\n",
        f"define x = (\n    {A} and {B}\n        or some s in S: {C} and d\n    implies e\n)\n",
    ),
    "in brackets that are there": (
        f"define x = f({A} or {B} and {C})\n",
        f"define x = f({A}\n    or {B} and {C})\n",
    ),
    "in brackets before a block": (
        f"action x:\n    if f({A} or {B} and c):\n        do y\n",
        f"action x:\n    if f({A}\n            or {B} and c):\n        do y\n",
    ),
    "no place to break": (f"define x = f({A}, {B}, {C})\n", None),
    "no expression": (f"event e(a: {A.title()} or {B}, b: {C.title()} or {A})\n", None),
    "a long text": (f'require r.s after r.t "{A} and {B} and {C}":\n    x\n', None),
}


@pytest.mark.parametrize(("text", "wanted"), LONG.values(), ids=LONG.keys())
def test_long_lines(text: str, wanted: str | None) -> None:
    assert formatted(text) == (wanted or text)


def test_the_least_that_does_is_broken() -> None:
    names = [f"n{'x' * (i % 17)}" for i in range(300)]
    result = formatted(f"define x = f({' and '.join(names)})\n")
    lines = result.splitlines()
    assert all(len(line) <= WIDTH for line in lines)
    assert all(len(a) + len(b.split()[1]) + len(" and ") > WIDTH for a, b in pairwise(lines))


# ---- bad text

HOSTILE = {
    "no declaration": "define\n",
    "two errors": "define x = \ndefine y = 1\ndefine z := 2\n",
    "indented": "  define x = 1\n",
    "indented after a carriage return": "\r\n  define x = 1\n",
    "a bracket first": "}\n",
    "a bracket before": ") x\ndefine x = 1\n",
    "nul": "\x00",
    "a byte order mark": "\ufeffdefine x = 1\n",
    "an odd blank": "\u3000\n",
    "a line separator in a text": 'source a "b\u2028c" language d document "e"\n',
    "open brackets": "define x = " + "(" * 59 + "\n",
    "deep": "define x = " + "(" * 61 + "1" + ")" * 61 + "\n",
    "bad indentation": "state:\n    a: 0..1 = 0\n  b: 0..1 = 0\n",
    "large": "#" * 1_000_001,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_bad_text_is_refused(text: str) -> None:
    with pytest.raises(SpecError) as caught:
        format_text(text, "bad.brass")
    assert caught.value.problems
    assert all(p.place.file == "bad.brass" for p in caught.value.problems)


def test_a_file_that_formatting_makes_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printer, "MAX_FILE", len(UGLY) + 1)
    with pytest.raises(SpecError, match="formatted, the file has"):
        format_text(UGLY, "x.brass")


def test_all_errors_are_told() -> None:
    with pytest.raises(SpecError) as caught:
        format_text(HOSTILE["two errors"], "bad.brass")
    assert {p.place.line for p in caught.value.problems} == {1, 3}


@pytest.mark.parametrize(
    "text",
    [
        "define x = " + " + ".join("1" * 2000) + "\n",
        "define x = " + "not " * 2000 + "y\n",
        "define x = (" + " implies ".join("a" * 2000) + ")\n",
        "define x = " + "(" * 59 + " or ".join("a" * 2000) + ")" * 59 + " or b\n",
        "define x = " + "(" * 60 + " or ".join("a" * 200) + ")" * 60 + " or b\n",
        "define x =\n" + " " * 100_000 + "1\n",
        'sort S "s":\n' + " " + "x" * 200_000 + ' "t"\n' + ' y "z"\n' * 500,
        "define x = 1 # \x0b\x0c# a\x1cdefine y = 2\n",
    ],
    ids=["deep tree", "nots", "implies", "brackets", "most brackets", "indentation", "a wide row", "odd line ends"],
)
def test_odd_but_sound_text(text: str) -> None:
    result = format_text(text, "x.brass")
    assert format_text(result, "x.brass") == result
    assert len(result) < 2 * len(text) + 100


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.text(alphabet='ax1 ."#:=()[]{}\n\t,->\r\u2028\\', max_size=60),
    st.sampled_from(["", "define x = ", "state:\n  a: 0..1 = ", "sort S:\n "]),
)
def test_any_text_is_formatted_or_refused(text: str, before: str) -> None:
    try:
        result = format_text(before + text, "x.brass")
    except SpecError:
        return
    assert format_text(result, "x.brass") == result
    assert words_of(result) == words_of(before + text)


def test_a_fault_of_the_printer_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    sound: Callable[..., tuple[str, list[str]]] = printer._print
    monkeypatch.setattr(printer, "_print", lambda *a: ("define x = 2  # why\n", sound(*a)[1]))
    with pytest.raises(LayoutError):
        format_text(UGLY, "x.brass")
    monkeypatch.setattr(printer, "_print", lambda *a: (sound(*a)[0].replace("  # why", ""), sound(*a)[1]))
    with pytest.raises(LayoutError):
        format_text(UGLY, "x.brass")


# ---- the command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"ugly": UGLY, "neat": NEAT, "bad": HOSTILE["two errors"], "worse": "  x\n"}.items():
        Path(f"{name}.brass").write_text(text)
    return tmp_path


def found(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    result: dict[str, object] = json.loads(capsys.readouterr().out)
    return result


def test_fmt_check_writes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--check", "neat.brass"]) == 0
    assert capsys.readouterr().out == "1 file, 0 not formatted\n"
    assert main(["fmt", "--check", "neat.brass", "ugly.brass"]) == 1
    assert capsys.readouterr().out == "not formatted: ugly.brass\n2 files, 1 not formatted\n"
    assert main(["fmt", "--check", "neat.brass", "ugly.brass", "--json"]) == 1
    said = found(capsys)
    assert (said["verdict"], said["counts"]) == ("failed", {"files": 2, "changed": 1})
    assert said["findings"] == [{"kind": "not_formatted", "file": "ugly.brass"}]
    assert Path("ugly.brass").read_text() == UGLY


def test_fmt_rewrites(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(os.listdir())
    Path("ugly.brass").chmod(0o640)
    Path("link.brass").symlink_to("ugly.brass")
    untouched = os.stat("neat.brass")
    assert main(["fmt", "link.brass", "neat.brass", "neat.brass"]) == 0
    assert capsys.readouterr().out == "formatted: link.brass\n2 files, 1 formatted\n"
    assert Path("ugly.brass").read_text() == NEAT
    assert stat.S_IMODE(os.stat("ugly.brass").st_mode) == 0o640
    assert Path("link.brass").is_symlink()
    assert os.stat("neat.brass") == untouched
    assert sorted(os.listdir()) == sorted([*before, "link.brass"])
    assert main(["fmt", "ugly.brass", "--json"]) == 0
    assert found(capsys)["findings"] == []


def test_fmt_of_standard_input(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments, code, wanted in (
        ([], 0, NEAT),
        (["--check"], 1, "not formatted: standard input\n1 file, 1 not formatted\n"),
    ):
        with open("ugly.brass") as file:
            monkeypatch.setattr("sys.stdin", file)
            assert main(["fmt", "-", *arguments]) == code
        assert capfd.readouterr().out == wanted
    with open("ugly.brass") as file:
        monkeypatch.setattr("sys.stdin", file)
        assert main(["fmt", "-", "--json"]) == 0
    assert found(capfd)["findings"] == [{"kind": "formatted", "file": "standard input", "text": NEAT}]
    assert main(["fmt", "-", "neat.brass"]) == 2


def test_fmt_writes_none_if_one_is_faulty(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("latin.brass").write_bytes(b"# \xff\n")
    for bad in (["bad.brass", "worse.brass"], ["none.brass"], ["latin.brass"], ["."], ["a\0b"], ["\udcff"]):
        assert main(["fmt", "ugly.brass", *bad]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") < 15
        assert "Traceback" not in said.err
        if len(bad) == 2:
            assert all(place in said.err for place in ("bad.brass:1:", "bad.brass:3:", "worse.brass:1:"))
    assert Path("ugly.brass").read_text() == UGLY


def test_fmt_where_nothing_can_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = sorted(os.listdir())
    monkeypatch.setattr("os.replace", full)
    assert main(["fmt", "ugly.brass"]) == 2
    assert "ugly.brass: can't be written: No space left on device" in capsys.readouterr().err
    assert Path("ugly.brass").read_text() == UGLY
    assert sorted(os.listdir()) == before
