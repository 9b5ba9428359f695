"""docs/upstream.md names, per system, the commit that the rules cite, the files that were read, and rules that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "upstream.md").read_text("utf-8")
SYSTEMS = sorted({path.stem for path in (ROOT / "docs" / "rules").glob("*.md")} - {"all", "layers"})
ROW = re.compile(r"^\| (\w+) \| ([\w.-]+/[\w.-]+) \| `([0-9a-f]{7,12})` \| (\d{4}-\d\d-\d\d) \|", re.MULTILINE)
CITED = re.compile(r"\brules? (S?\d+)(?: (?:and|to) (\d+))?")


def chapter(system: str) -> str:
    """The chapter of a system."""
    found = re.search(rf"^## {system}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/upstream.md has no chapter `{system}`"
    return found[1]


def test_every_system_has_a_row_and_only_systems_have():
    assert sorted({system for system, *_ in ROW.findall(PAGE)}) == SYSTEMS
    assert re.findall(r"^## (.+)$", PAGE, re.MULTILINE) == list(dict.fromkeys(system for system, *_ in ROW.findall(PAGE)))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_followed_commit_is_the_one_that_the_rules_cite(system):
    rules = (ROOT / "docs" / "rules" / f"{system}.md").read_text("utf-8")
    for name, repository, commit, _ in ROW.findall(PAGE):
        if name == system:
            assert repository in rules
            assert commit[:7] in rules, f"docs/rules/{system}.md does not cite {repository} at {commit}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_chapter_says_what_was_read_and_what_was_not(system):
    text = " ".join(chapter(system).split())
    files = text.partition("Files: ")[2].partition(". ")[0]
    assert re.findall(r"`[\w./-]+`", files)
    assert "Not read" in text


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_change_says_what_is_done_about_it_by_a_rule_that_exists(system):
    rules = (ROOT / "docs" / "rules" / f"{system}.md").read_text("utf-8")
    if system in ("flux", "giantswarm"):  # which share one series
        rules += "".join((ROOT / "docs" / "rules" / f"{name}.md").read_text("utf-8") for name in ("flux", "giantswarm"))
    rows = [row.strip("|").split("|") for row in re.findall(r"^\|.*\|$", chapter(system), re.MULTILINE)][2:]
    assert rows
    for row in rows:
        assert len(row) == 4
        assert re.search(r"rule|not checked", row[3]), row
        for first, last in CITED.findall(row[3]):
            for number in (first, last) if last else (first,):
                assert re.search(rf"^\*\*{number}\. ", rules, re.MULTILINE), f"{system} has no rule {number}"
