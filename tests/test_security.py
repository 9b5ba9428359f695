"""Each promise in SECURITY.md names its tests, and these exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", PAGE)))


def section(title: str) -> str:
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("name", NAMED)
def test_a_named_test_exists(name):
    file, _, function = name.partition("::")
    text = (ROOT / file).read_text("utf-8")
    assert re.search(rf"^def {function or 'test_'}" + (r"\(" if function else ""), text, re.MULTILINE)


PROMISES = re.findall(r"^- .*(?:\n  .*)*", section("Promises"), re.MULTILINE)


@pytest.mark.parametrize("promise", PROMISES, ids=range(len(PROMISES)))
def test_every_promise_names_a_test(promise):
    assert re.search(r"\(`tests/[^)]*`\)", promise), promise


def test_there_are_promises_and_limits():
    assert len(PROMISES) >= 15
    assert len(re.findall(r"^- ", section("Not promised"), re.MULTILINE)) >= 8
    assert section("Threat model").count("\n|") >= 7
    assert "private advisory" in section("Reporting")


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", PAGE))
def test_links_lead_somewhere(link):
    assert (ROOT / link).is_file()
