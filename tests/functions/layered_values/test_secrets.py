"""What comes out of a Secret is in no message, whatever is wrong with it (rule 112)."""

from __future__ import annotations

import json

import pytest

from krm_values._explain.steps import Explained
from krm_values._krm import findings
from tests.answers import of_steps
from tests.functions.layered_values.support import kinds, run

WORD = "swordfish"
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{v: {text}}}"
THING = "apiVersion: x.test/v1\nkind: Thing\nmetadata: {name: t}\nspec: {n: 1, b: true, l: [], m: {}, s: 'a-b', i: 'web:1'}"
ROWS = [
    ("a reference to nothing", "'a: {$value: swordfish}'", "targets: [{secret: o}]", "reference"),
    ("a reference that cannot be read", "'a: {$value: swordfish..x}'", "targets: [{secret: o}]", "reference"),
    ("the schema's type", "'a: swordfish'", "schema: {properties: {a: {type: integer}}}\ntargets: [{secret: o}]", "schema"),
    ("the schema's enum", "'a: swordfish'", "schema: {properties: {a: {enum: [x]}}}\ntargets: [{secret: o}]", "schema"),
    ("a number", "'a: swordfish'", "targets: [{kind: Thing, allowSecrets: true, fields: {spec.n: a}}]", "type"),
    ("a boolean", "'a: swordfish'", "targets: [{kind: Thing, allowSecrets: true, fields: {spec.b: a}}]", "type"),
    ("a list", "'a: swordfish'", "targets: [{kind: Thing, allowSecrets: true, fields: {spec.l: a}}]", "type"),
    ("as", "'a: swordfish'", "targets: [{kind: Thing, allowSecrets: true, fields: {spec.s: {value: a, as: number}}}]", "type"),
    (
        "a tag",
        "'a: swordfish/x'",
        "targets: [{kind: Thing, allowSecrets: true, fields: {spec.i: {value: a, part: tag}}}]",
        "part",
    ),
    (
        "a piece",
        "'a: swordfish-x'",
        "targets: [{kind: Thing, allowSecrets: true, fields: {spec.s: {value: a, part: {split: '-', index: 0}}}}]",
        "part",
    ),
    ("a strategy", "'a: [{n: swordfish}, {n: swordfish}]'", "merge: {a: {by: n}}\ntargets: [{secret: o}]", "strategy"),
    ("not YAML", "'a: [swordfish'", "targets: [{secret: o}]", "text"),
    ("not a map", "swordfish", "targets: [{secret: o}]", "not-a-map"),
    ("a ConfigMap", "'a: swordfish'", "targets: [{configMap: o}]", "secret"),
    ("allowed in a ConfigMap", "'a: swordfish'", "targets: [{configMap: o, allowSecrets: true}]", ""),
    ("allowed in a field", "'a: swordfish'", "targets: [{kind: Thing, allowSecrets: true, fields: {spec.s: a}}]", ""),
    ("the schema itself", '\'{"tpye": "swordfish"}\'', "schemaFrom: {secret: s}\ntargets: [{secret: o}]", "schema"),
    ("a keyword's value", '\'{"type": "swordfish"}\'', "schemaFrom: {secret: s}\ntargets: [{secret: o}]", "schema"),
]


@pytest.mark.parametrize(("text", "config", "kind"), [pytest.param(*row[1:], id=row[0]) for row in ROWS])
def test_nothing_shows_the_value(text, config, kind):
    layers = "layers: [{values: {n: 1}}]" if "schemaFrom" in config else "layers: [{secret: s}]"
    state = run(f"{layers}\n{config}", SECRET.format(text=text), THING)
    assert kind in [*kinds(state), ""], [one.message for one in state.outcome.findings]
    assert state.outcome.failed == bool(kind)
    shown = [findings.line(one) for one in state.outcome.findings]
    shown += [json.dumps(findings.as_result(one)) for one in state.outcome.findings]
    shown += of_steps([Explained("", state.outcome)]).splitlines()
    shown += [json.dumps(one["metadata"]) for one in state.items]
    assert [line for line in shown if WORD in line] == []
