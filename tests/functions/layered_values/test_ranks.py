"""The rule of `explain`: by which numbers a layer won, or the order in words where no one number decides."""

from __future__ import annotations

import pytest

from tests.cli.packages import command, kptfile, write

ORDER = "the schema's defaults are lowest, then come layers by rising priority, by their order in the list and in a text"
TEXT = "{configMap: text}"
RULES = {
    "{name: a, VALUES}, {name: b, VALUES}": "b overrides a (position 2 over 1)",
    "{name: a, VALUES}, {name: b, VALUES}, {name: c, VALUES}": "c overrides b and a (position 3 over 2 and 1)",
    "{name: a, VALUES, priority: 9}, {name: b, VALUES}": "a overrides b (priority 9 over 0)",
    "{name: a, VALUES, priority: 9}, {name: b, VALUES, priority: 9}": "b overrides a (priority 9, position 2 over 1)",
    "{name: a, VALUES, priority: 9}, {name: b, VALUES, priority: 9}, {name: c, VALUES}": f"b overrides a and c: {ORDER}",
    f"{TEXT}, {{name: b, VALUES}}": "b overrides text (position 2 over 1)",
    f"{{name: a, VALUES}}, {TEXT[:-1]}, path: part}}": "text overrides a (position 2 over 1)",
    "{name: a, VALUES}, {from: {kind: ConfigMap, name: text}, path: 'data[\"v.yaml\"].word', at: a, part: tag}": "text overrides a (position 2 over 1)",
    "{configMap: two}": f"two#2 overrides two: {ORDER}",
    "{name: a, VALUES}, {name: b, values: {a: 7}, when: {kind: ConfigMap}}": "b overrides a (position 2 over 1)",
    "{name: a, VALUES}": "only a sets it",
}
FILES = {
    "Kptfile": kptfile("exec: krm-layered-values, configPath: config.yaml"),
    "text.yaml": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: text}\ndata: {v.yaml: \"a: 5\\npart: {a: 6}\\nword: 'x:y'\\n\"}\n---\n"
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: two}\ndata: {v.yaml: "a: 1\\n---\\na: 2\\n"}\n'
    ),
}


def rule(folder, layers, more=""):
    config = f"{{layers: [{layers.replace('VALUES', 'values: {a: 1}')}], targets: [{{configMap: out}}]{more}}}"
    head = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: c}\n"
    write(folder, FILES | {"config.yaml": f"{head}spec: {config}\n"})
    done = command("explain", ".", "a", cwd=folder)
    return " ".join(done.stdout.partition("rule: ")[2].split()), done.stderr


@pytest.mark.parametrize("layers", RULES)
def test_the_rule_names_the_numbers_that_decide(layers, tmp_path):
    assert rule(tmp_path, layers) == (RULES[layers], "")


def test_a_default_of_the_schema_has_no_number(tmp_path):
    schema = ", schema: {type: object, properties: {a: {type: integer, default: 3}}}"
    assert rule(tmp_path, "{name: a, VALUES}", schema) == (f"a overrides schema: {ORDER}", "")


def test_priorities_stand_beside_the_layers_only_where_there_are_any(tmp_path):
    rule(tmp_path, "{name: a, VALUES, priority: 9}, {name: b, VALUES}")
    assert "  + a  priority 9  " in command("explain", ".", "a", cwd=tmp_path).stdout
    rule(tmp_path, "{name: a, VALUES}, {name: b, VALUES}")
    assert "priority" not in command("explain", ".", "a", cwd=tmp_path).stdout
