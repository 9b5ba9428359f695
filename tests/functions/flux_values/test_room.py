"""What a release may take: elements with which indexes of a `targetPath` fill lists, and values that its entries bring together."""

from __future__ import annotations

import pytest

from krm_values._data.limits import Limits
from krm_values._krm import findings
from krm_values._run import invoke
from krm_values.flux_values import plan
from tests.growth import layered
from tests.growth.lists import config_map, listed


def errors(count: int, value: str = "v", limits: Limits | None = None) -> list[str]:
    entries = [
        {"kind": "ConfigMap", "name": "c", "valuesKey": "k", "targetPath": f"l{number}[60000]"} for number in range(count)
    ]
    text = listed([layered._release("r", entries), config_map("c", {"k": value})], layered.FLUX)
    _, outcome = invoke.answer(text.encode(), layered.FLUX, limits=limits or Limits())
    return [findings.line(found) for found in outcome.findings if found.severity == "error"]


def test_indexes_that_fill_many_lists_end_at_the_limit():
    (found,) = errors(40)
    assert "must not fill lists with more than 1,048,576 elements, found more" in found
    assert "(limit `decoded_bytes`)" in found


def test_indexes_that_a_value_brings_count_too():
    value = "v," + ",".join(f"m{number}[60000]=x" for number in range(40))
    assert "must not fill lists with more than 1,048,576 elements" in errors(1, value)[0]


def test_one_high_index_is_within_the_limit_and_a_lower_limit_refuses_it():
    assert errors(1) == []
    assert "more than 1,000 elements" in errors(1, limits=Limits(decoded_bytes=64_000))[0]


def merged(names: str, inline: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the errors of a release with an entry for each letter: `a` names an object of ten values, `t` a text for a `targetPath`."""
    monkeypatch.setattr(plan, "MOST", 30)
    target = {"valuesKey": "t", "targetPath": "x"}
    entries = [{"kind": "ConfigMap", "name": "c", **(target if name == "t" else {})} for name in names]
    held = config_map("c", {"values.yaml": "".join(f"k{number}: 1\n" for number in range(10)), "t": "v"})
    text = listed([layered._release("r", entries, {f"v{number}": 1 for number in range(inline)}), held], layered.FLUX)
    _, outcome = invoke.answer(text.encode(), layered.FLUX)
    return [findings.line(found) for found in outcome.findings if found.severity == "error"]


@pytest.mark.parametrize(("names", "inline"), [("aaa", 9), ("aatt", 5), ("ttt", 10)])
def test_what_entries_bring_together_is_counted(names, inline, monkeypatch):
    assert merged(names, inline, monkeypatch) == []
    for more in ("a", "t"):
        (error,) = merged(names + more, inline, monkeypatch)
        assert "HelmRelease team/r `spec.valuesFrom`: brings more than 30 values together" in error
