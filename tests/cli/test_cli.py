"""The commands: what they print, where, and with which exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest

from brassspec.cli.main import brassspec, main
from brassspec.formats.schemas import schema

START = {"format": "brassspec/position/1", "ruleset": "lancashire-2007", "players": 3, "state": {"phase": "start"}}
PLAY = ["play", "lancashire-2007", "--players", "3"]
COMMANDS = brassspec.list_commands(click.Context(brassspec))


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("start.json").write_text(json.dumps(START))
    return tmp_path


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """The one object that a command prints under --json."""
    assert main([*arguments, "--json"]) == code
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    jsonschema.Draft202012Validator(schema("result")).validate(found)
    assert found["repro"].startswith("brassspec ")
    return found


def test_there_are_commands() -> None:
    assert {"moves", "apply", "play", "replay", "rules"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    out = capsys.readouterr().out
    assert "Example:\n" in out
    assert f"  brassspec {command}" in out
    assert "--json" in out


def test_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["moves", "start.json"]) == 0
    assert capsys.readouterr().out == "yellow starts (1 of 3)\nred starts (1 of 3)\npurple starts (1 of 3)\n"
    found = as_json(capsys, "moves", "start.json")
    assert found["counts"] == {"moves": 0, "chances": 3}
    assert found["readings"]["overbuild_exhausted"] == "both"
    assert found["findings"][1]["chance"] == {"chance": "first", "player": "red"}


def test_apply(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "apply", "start.json", '{"chance": "first", "player": "red"}')
    assert found["verdict"] == "legal"
    (outcome,) = found["findings"]
    assert outcome["events"] == [{"event": "era_begun", "era": "canal"}]
    Path("next.json").write_text(json.dumps(outcome["position"]))
    assert main(["apply", "start.json", "red starts"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "red starts (1 of 1)"
    assert json.loads(shown[-1]) == outcome["position"]
    assert as_json(capsys, "apply", "start.json")["counts"]["outcomes"] == 3
    assert len(as_json(capsys, "apply", "next.json", '{"chance": "draw"}')["findings"]) > 5
    found = as_json(capsys, "apply", "next.json", "yellow passes with bury", code=1)
    assert found["verdict"] == "illegal"
    assert [f["requirement"] for f in found["findings"] if f["kind"] == "violation"] == ["turn.order", "card.held"]
    assert main(["apply", "next.json", "yellow passes with bury"]) == 1
    assert 'see cz "' in capsys.readouterr().out


def test_play_and_replay(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, *PLAY, "--seed", "3", "--games", "2", "--log", "log")
    assert found["counts"]["games"] == 2
    assert as_json(capsys, "replay", "log")["counts"] == {
        "games": 2,
        "lines": found["counts"]["decisions"] + found["counts"]["chances"] + 4,
        "decisions": found["counts"]["decisions"],
        "chances": found["counts"]["chances"],
    }
    lines = Path("log").read_text().splitlines(keepends=True)
    Path("log").write_text("".join(lines[:9] + lines[10:]))
    found = as_json(capsys, "replay", "log", code=1)
    assert found["verdict"] == "failed"
    assert found["findings"][0]["line"] == 10
    assert main(["replay", "log"]) == 1
    assert capsys.readouterr().out.startswith("line 10: ")


@pytest.mark.parametrize(
    ("line", "cause"),
    [(b"{", "no JSON"), (b"\xff", "not UTF-8"), (b"7", "an object"), (b'{"n": 3, "mofe": {}}', "no field 'mofe'")],
)
def test_a_log_with_a_line_that_is_none(capsys: pytest.CaptureFixture[str], line: bytes, cause: str) -> None:
    assert main([*PLAY, "--log", "log"]) == 0
    lines = Path("log").read_bytes().splitlines(keepends=True)
    Path("log").write_bytes(b"".join([*lines[:3], line + b"\n", *lines[4:]]))
    capsys.readouterr()
    assert main(["replay", "log"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("line 4: ")
    assert cause in out


def test_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    assert "  card.network\n" in capsys.readouterr().out
    found = as_json(capsys, "rules", "card.network", "--ruleset", "lancashire-2007", "--players", "4")
    (rule,) = found["findings"]
    assert rule["exceptions"] == ["card.first_build", "card.virtual_link"]
    assert rule["file"] == "common/build.brass"
    assert all(c["title"] for c in rule["cites"])
    assert main(["rules", "card.network"]) == 0
    shown = capsys.readouterr().out
    assert f"common/build.brass:{rule['line']}\n" in shown
    assert "card.first_build: " in shown
    assert main(["rules", "card.netwrok"]) == 2
    assert "did you mean card.network?" in capsys.readouterr().err


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ([], ["fly"], ["moves"], ["moves", "--wings"], ["play", "lancashire-2007"], [*PLAY, "--seed", "x"]):
        assert main(wrong) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert "brassspec" in said.err
    assert as_json(capsys, "moves", code=2)["verdict"] == "input_error"
    assert main(["--version"]) == 0


def test_a_crash_is_no_verdict(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(position: object) -> None:
        raise ZeroDivisionError("so\x1b[2J")

    monkeypatch.setattr("brassspec.rules.games.moves", crash)
    found = as_json(capsys, "moves", "start.json", code=3)
    assert found["verdict"] == "internal_error"
    assert main(["moves", "start.json"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "Traceback" not in said.err
    assert said.err.count("\n") == 1
    assert "\x1b" not in said.err
    monkeypatch.setenv("BRASSSPEC_DEBUG", "1")
    assert main(["moves", "start.json"]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_a_command_is_one_file() -> None:
    for name in COMMANDS:
        command = brassspec.get_command(click.Context(brassspec), name)
        assert command is not None
        assert command.name == name
    assert brassspec.get_command(click.Context(brassspec), "__init__") is None


def run(*arguments: str, **more: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "brassspec", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def test_interrupted(place: Path) -> None:
    # Where the tests run in the background their shell may have them ignore Ctrl-C, and what they start too.
    process = run(
        *PLAY, "--games", "100000", "--log", "log", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    )
    until = time.monotonic() + 20
    while not list(place.glob(".log.*")) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert sorted(os.listdir(place)) == ["start.json"]


SWALLOWS = """
import os, signal
try:
    os.kill(os.getpid(), signal.SIGINT)
    sum(range(1000))
except BaseException:
    pass
"""
IMPORTS = """
import signal, time
import brassspec.__main__ as program, brassspec.cli.main as cli
def main():
    import swallows
    time.sleep(20)
    return 0
signal.signal(signal.SIGINT, signal.default_int_handler)
cli.main = main
program.program()
"""


def test_interrupted_while_a_module_is_imported(place: Path) -> None:
    Path("swallows.py").write_text(SWALLOWS)
    process = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True, timeout=20)
    assert (process.returncode, process.stdout, process.stderr) == (130, "", "")


def test_whoever_reads_has_had_enough() -> None:
    process = run("rules", stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait(20) == 141


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_words_that_a_terminal_cannot_show(encoding: str) -> None:
    process = run("rules", env={**os.environ, "PYTHONIOENCODING": encoding}, errors="replace")
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")
    assert "card.network" in out
