"""Each value of each config field, and each form of text that is edited: `input.yaml` is exact stdin, `expected.yaml` exact stdout."""

from __future__ import annotations

from pathlib import Path

import pytest

from krm_values._cli import pipe
from krm_values._kit.kio import resourcelist

CASES = sorted((Path(__file__).parent / "cases").iterdir())
FIELDS = ["SD_SOURCE_TYPE", "SD_VERSION", "SD_DATA", "SD_REPO_MERGE_MODE", "SD_DELTA", "ENV_NAMES", "strict", "profile"]


def out(data):
    source, outcome = pipe.answer(data, "envgene-sd")
    added = [added.data for added in outcome.added]
    return b"".join(source.write(outcome.edited, outcome.removed, added, pipe.entries(outcome))), outcome


def texts(data):
    found = resourcelist.read(data)
    return [found.text(number).rstrip() for number in range(len(found.items))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case, golden):
    found, outcome = out((case / "input.yaml").read_bytes())
    if case.name == "crlf":
        assert found.count(b"\n") == found.count(b"\r\n")
    golden(found.decode().replace("\r\n", "\n"), case / "expected.yaml")
    if not outcome.failed:
        assert texts(out(found)[0]) == texts(found)


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_has_a_golden(field):
    assert any(f"{field}:" in (case / "input.yaml").read_text() for case in CASES)
