"""One name, four spellings."""

from __future__ import annotations

import pytest

from krm_values._data import suggest
from krm_values._data.errors import UsageError
from krm_values._krm import names
from krm_values._krm.names import Writer
from krm_values._run import registry


@pytest.mark.parametrize("name", ["tekton-params", "flux-values", "envgene-sd"])
def test_spellings_lead_back_to_the_argument(name):
    assert names.argument(names.kind(name)) == name
    assert names.argument("krm_values." + names.module(name)) == name
    assert names.script(name) == "krm-" + name


def test_kinds_are_the_documented_ones():
    known = [
        "tekton-params",
        "cartographer-params",
        "giantswarm-config",
        "flux-values",
        "glasskube-values",
        "envgene-sd",
        "layered-values",
    ]
    kinds = [
        "TektonParams",
        "CartographerParams",
        "GiantswarmConfig",
        "FluxValues",
        "GlasskubeValues",
        "EnvgeneSd",
        "LayeredValues",
    ]
    assert [names.kind(name) for name in known] == kinds


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("mdoe", "mode"),
        ("MODE", "mode"),
        ("reference", "references"),
        ("strikt", "strict"),
        ("strimm", "strict"),
        ("strand", ""),
        ("made", "mode"),
        ("maze", ""),
        ("x", ""),
        ("", ""),
        ("configuration", ""),
    ],
)
def test_nearest(word, near):
    """At most a third of the letters differ."""
    known = ["mode", "references", "strict"]
    assert suggest.nearest(word, known) == near
    assert suggest.hint(word, known, '"') == (f'; did you mean "{near}"?' if near else "")


@pytest.mark.parametrize(("word", "near"), [("b", ""), ("A", "a"), ("o", "op"), ("p", "op")])
def test_a_single_letter_is_near_to_words_that_have_it(word, near):
    assert suggest.nearest(word, ["a", "op", "path"]) == near


def test_the_folders_are_the_registry():
    assert "tekton-params" in registry.functions()
    assert not any(name.startswith("-") for name in registry.functions())


@pytest.mark.parametrize("name", ["tekton-parms", "_run", "", "krm_values"])
def test_an_unknown_function_is_refused_by_name(name):
    with pytest.raises(UsageError, match="no function is called"):
        registry.load(name)


@pytest.mark.parametrize(
    ("writer", "package", "key"),
    [
        (Writer("flux-values"), "", "flux-values"),
        (Writer("layered-values", "web", named=True), "", "layered-values.web"),
        (Writer("layered-values", "web", "shop", named=True), "", "layered-values.web_shop"),
        (Writer("layered-values", "web", named=True), "base/db", "layered-values.web__base.db"),
    ],
)
def test_the_key_of_a_record_has_all_that_tells_it_apart(writer, package, key):
    assert writer.key(package) == key


def test_a_key_that_an_annotation_cannot_carry_is_a_digest_of_a_fixed_length():
    long, odd = Writer("layered-values", "x" * 40, "y" * 40, named=True).key(), Writer("glasskube-values", "a b").key("-c")
    assert [len(key.partition(".")[2]) for key in (long, odd)] == [12, 12]
    assert long != Writer("layered-values", "x" * 40, "z" * 40, named=True).key()
