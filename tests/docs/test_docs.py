"""What the docs say is so: their questions get the answers shown, their specs run, their positions and moves are read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from brassspec.checker.check import Target
from brassspec.checker.opinions import reference
from brassspec.checker.questions import Judge
from brassspec.checker.scenarios import ScenarioRun
from brassspec.cli.main import brassspec
from brassspec.grammar.parser import parse
from brassspec.rules.api import game
from brassspec.rules.library import build
from brassspec.rules.scenarios import read_situation

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)


def whole(block: str) -> bool:
    """A block that is a declaration, not a piece of one."""
    return not block.startswith("require ") and block.split()[0] not in ("source",)


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.name)
def test_every_declaration_shown_is_in_the_language(path: Path) -> None:
    for block in blocks(path, "brass"):
        if whole(block):
            _, problems = parse(block, path.name)
            assert not problems, problems[0].render(block.splitlines())


def test_the_first_question_gets_the_answer_shown(tmp_path: Path) -> None:
    page = ROOT / "docs" / "questions.md"
    question = tmp_path / "question.brass"
    question.write_text(blocks(page, "brass")[0], encoding="utf-8")
    result = CliRunner().invoke(brassspec, ["ask", str(question)])
    assert result.output.strip() == blocks(page, "text")[0].strip()


def test_the_question_with_an_unknown_part_depends(tmp_path: Path) -> None:
    question = tmp_path / "question.brass"
    question.write_text(blocks(ROOT / "docs" / "questions.md", "brass")[1], encoding="utf-8")
    result = CliRunner().invoke(brassspec, ["ask", str(question), "--json"])
    assert json.loads(result.stdout)["verdict"] == "depends"


def test_the_scenario_of_the_language_page_holds() -> None:
    block = next(b for b in blocks(ROOT / "docs" / "language.md", "brass") if b.startswith("scenario"))
    (declaration,), _ = parse(block, "language.md")
    judge = Judge(game("lancashire-2007", 3))
    result = ScenarioRun(judge.rules, judge.speaker, read_situation(declaration), None, judge).run()
    assert result.problems == []
    assert result.counts["verdicts"] == 2


def test_a_rule_is_quoted_as_it_stands_in_the_spec() -> None:
    specs = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "specs").rglob("*.brass"))
    flat = re.sub(r"\s+", " ", specs)
    for path in (ROOT / "README.md", ROOT / "docs" / "language.md"):
        for block in blocks(path, "brass"):
            if block.startswith(("require ", "exception ", "action ")):
                for line in block.strip().splitlines():
                    assert re.sub(r"\s+", " ", line.strip()).split('" cites')[0] in flat, line


def test_every_link_leads_somewhere() -> None:
    for path in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (path.parent / target).exists(), f"{path.name}: {target}"


REFERENCE = sorted((ROOT / "docs" / "rules").glob("*.md"))


@pytest.mark.parametrize("path", REFERENCE, ids=lambda p: p.stem)
def test_the_rule_reference_is_what_the_specs_say(path: Path) -> None:
    result = CliRunner().invoke(brassspec, ["rules", "--ruleset", path.stem, "--markdown"])
    assert result.output == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("ruleset", ["lancashire-2007", "lancashire-2018", "birmingham-2018"])
def test_the_changelog_names_every_rule(ruleset: str) -> None:
    named = set(re.findall(r"`([a-z_]+\.[a-z_]+)`", (ROOT / "docs" / "changelog.md").read_text(encoding="utf-8")))
    assert set(game(ruleset, 3).model.requirements) <= named


FACTS = ROOT / "docs" / "facts.md"


def test_each_fact_is_stated_in_its_edition() -> None:
    commands = re.findall(r"brassspec prove (\S+) (\S+) --players 3", FACTS.read_text(encoding="utf-8"))
    assert len(commands) == 7
    for path, claim in commands:
        spec, readings = Target.of(str(ROOT / path)).spec()
        assert claim in {p.name for p in build(spec, readings, 3).properties}


def test_the_fact_that_play_reaches_is_told_as_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command = ["prove", "docs/facts/lancashire.brass", "gain.reached", "--players", "3", "--jobs", "1"]
    assert CliRunner().invoke(brassspec, command).stdout.strip() == blocks(FACTS, "text")[0].strip()


def test_the_fact_that_is_a_scenario_holds() -> None:
    (declaration,), _ = parse(blocks(FACTS, "brass")[0], "facts.md")
    judge = Judge(game("birmingham-2018", 4))
    result = ScenarioRun(
        judge.rules, judge.speaker, read_situation(declaration), reference("birmingham-2018", 4), judge
    ).run()
    assert result.problems == []
    assert result.counts["verdicts"] == 5
