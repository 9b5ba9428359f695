"""Rule 90: what only the schema of the API refuses. Flux's own code does not look at it, so no release of the oracle has it."""

from __future__ import annotations

import pytest

from tests.functions.flux_values.support import config_map, entry, made, release, run, told, value

REFUSED = [
    ("rule 90: no list", release(valuesFrom={}), ["spec.valuesFrom", "must be a list"]),
    ("rule 90: an entry that is no map", release("base"), ["spec.valuesFrom[0]", "must be a map"]),
    ("rule 90: no kind", release({"name": "base"}), ["spec.valuesFrom[0].kind", "must be"]),
    ("rule 90: the kind's spelling", release(entry(kind="configMap")), ["spec.valuesFrom[0].kind", '"configMap"', "did you mean `ConfigMap`"]),
    ("rule 90: no name", release({"kind": "Secret"}), ["spec.valuesFrom[0].name", "must be the name"]),
    ("rule 90: an empty name", release(entry("")), ["spec.valuesFrom[0].name", "1 to 253"]),
    ("rule 90: a long name", release(entry("n" * 254)), ["spec.valuesFrom[0].name", "found 254"]),
    ("rule 90: a name that is no text", release(entry(name=5)), ["spec.valuesFrom[0].name", "found number 5"]),
    ("rule 90: a key with a slash", release(entry(valuesKey="a/b")), ["spec.valuesFrom[0].valuesKey", '"a/b"']),
    ("rule 90: an empty key", release(entry(valuesKey="")), ["spec.valuesFrom[0].valuesKey", "1 to 253"]),
    ("rule 90: a long key", release(entry(valuesKey="k" * 254)), ["spec.valuesFrom[0].valuesKey", "found 254"]),
    ("rule 90: a path with a blank", release(value("v", "a b")), ["spec.valuesFrom[0].targetPath", '"a b"']),
    ("rule 90: a path with an equals sign", release(value("v", "a=b")), ["spec.valuesFrom[0].targetPath", '"a=b"']),
    ("rule 90: a path with a comma", release(value("v", "a,b")), ["spec.valuesFrom[0].targetPath"]),
    ("rule 90: an index of six digits", release(value("v", "a[100000]")), ["spec.valuesFrom[0].targetPath"]),
    ("rule 90: an open bracket", release(value("v", "a[0")), ["spec.valuesFrom[0].targetPath"]),
    ("rule 90: an index that is no number", release(value("v", "a[x]")), ["spec.valuesFrom[0].targetPath"]),
    ("rule 90: an empty path", release(value("v", "")), ["spec.valuesFrom[0].targetPath", "1 to 250"]),
    ("rule 90: a long path", release(value("v", "p" * 251)), ["spec.valuesFrom[0].targetPath", "found 251"]),
    ("rule 90: a line feed behind the path", release(value("v", "a\n")), ["spec.valuesFrom[0].targetPath"]),
    ("rule 90: optional that is no boolean", release(entry(optional="yes")), ["spec.valuesFrom[0].optional", "true or false", '"yes"']),
    ("rule 90: literal that is no boolean", release(entry(literal=1)), ["spec.valuesFrom[0].literal", "true or false"]),
]  # fmt: skip

ALLOWED = [
    ("a name of 253", release(entry("n" * 253, optional=True))),
    ("a key of 253", release(entry(valuesKey="k" * 253, optional=True))),
    ("a path of 250", release(value("gone", "p" * 250, optional=True))),
    ("every character of a key", release(entry(valuesKey="aZ0-._", optional=True))),
    ("every character of a path", release(value("v", "aZ0_-\\.\\\\/[0].x"))),
    ("an index of five digits", release(value("v", "a[00001]"))),
    ("null for what may be absent", release(entry(valuesKey=None, targetPath=None, optional=None, literal=None))),
    ("no entries", release(valuesFrom=None)),
]


@pytest.mark.parametrize(("item", "words"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED])
def test_refused(item, words):
    state = run(item, config_map("base", "a: 1\n", v="ref"))
    assert state.items == state.inputs
    (text,) = told(state, "error")
    assert [word for word in ["HelmRelease team/web", *words] if word not in text] == []


@pytest.mark.parametrize("item", [pytest.param(row[1], id=row[0]) for row in ALLOWED])
def test_allowed(item):
    state = run(item, config_map("base", "a: 1\n", v="ref"))
    assert told(state, "error") == []
    assert made(state)
