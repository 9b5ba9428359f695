"""docs/moving-over.md: each row is a pair of moving_over/*.yaml, and layered-values does what the pair says. tests/hosts asks the other tools."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from krm_values._data.data_edits import same
from tests.functions.layered_values.pairs import TOOLS, changes, ours, pairs, text
from tests.functions.layered_values.support import told, values

PAGE = Path(__file__).parents[3] / "docs/moving-over.md"
PAIRS = [pytest.param(tool, pair, id=f"{tool}: {pair['id']}") for tool in TOOLS for pair in pairs(tool)]


def rows(tool: str) -> list[list[str]]:
    """The rows of a tool's table, each as its three cells."""
    section = re.search(rf"^## {tool}\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line for line in section[1].splitlines() if line.startswith("|")] if section else []
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def written(cell: str) -> list[str]:
    """The pieces of code in a cell; `...` stands for what it leaves out."""
    return [piece.strip() for code in re.findall(r"`([^`]+)`", cell) for piece in code.split("...") if piece.strip()]


@pytest.mark.parametrize(("tool", "pair"), PAIRS)
def test_layered_values_does_what_the_pair_says(tool, pair):
    state = ours(tool, pair)
    errors, warnings = told(state), told(state, "warning")
    if "error" in pair:
        assert any(pair["error"] in error for error in errors), errors
        return
    assert errors == []
    assert [pair["warns"] in warning for warning in warnings] == [True] if "warns" in pair else warnings == []
    expected = pair.get("differs", pair.get("answer"))
    found = values(state, "out") if tool == "helm" else changes(state.inputs, state.items)
    assert same(found, expected), found


def test_the_page_has_a_table_for_each_tool():
    assert set(re.findall(r"^## (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)) >= set(TOOLS)


@pytest.mark.parametrize("tool", TOOLS)
def test_each_row_is_a_pair(tool):
    for row, pair in zip_longest(rows(tool), pairs(tool)):
        assert row, f"{pair['id']}: no row"
        assert pair, f"no pair: {row}"
        check(row, pair)


def check(row: list[str], pair: dict[str, Any]) -> None:
    """The code in a row stands in its pair; a difference is named."""
    assert len(row) == 3, row
    theirs, config, difference = row
    assert written(theirs), row
    assert written(config), row
    files = pair.get("files", {})
    given = text(pair["input"], pair["theirs"], pair.get("template", ""), pair.get("arguments", ""), *files.values())
    for piece in written(theirs):
        assert piece in given, f"{pair['id']}: {piece}"
    for piece in written(config):
        assert piece in text(pair["ours"]), f"{pair['id']}: {piece}"
    assert difference or not {"differs", "error"} & pair.keys(), f"{pair['id']} has a difference that the page does not name"
