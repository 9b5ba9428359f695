"""The engine: all or nothing, repeats, generated objects, host annotations."""

from __future__ import annotations

from types import SimpleNamespace

import jsonpatch
import pytest

from krm_values._krm import documents, findings, resourcelist
from krm_values._krm.plan import Finding, New, Origin, Put, drop, mark, move, new, put
from krm_values._krm.resources import Missing, Several
from krm_values._run.function import Function
from krm_values._run.resolve import resolve
from krm_values._yaml import decode

HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
ORIGIN = Origin("test", None)


def config_map(name, value="1", annotations=""):
    return f"""- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: {name} # the name
{annotations}  data:
    k: "{value}"
"""


def annotated(**values):
    return "    annotations:\n" + "".join(f"      {key}: '{value}'\n" for key, value in values.items())


def run(plan, text, config=None):
    """(outcome, output text) of a plan over a ResourceList."""
    source = resourcelist.read(text.encode())
    outcome = resolve(Function("krm_values.demo_values", "config:X", plan), config, source)
    entries = [findings.as_result(finding) for finding in outcome.findings]
    written = source.apply(outcome, entries)
    return outcome, b"".join(written).decode()


def items(text):
    return decode.to_data(decode.parse(text))["items"]


def setting(*steps):
    def plan(config, resources, tools):
        for item in resources.select("ConfigMap", group=""):
            yield from (step(item) for step in steps)

    return plan


def test_an_edit_changes_its_line_only():
    text = HEAD + config_map("a") + config_map("b")
    outcome, out = run(setting(lambda item: put(item, ("data", "k"), "2", ORIGIN)), text)
    assert out == text.replace('k: "1"', 'k: "2"')
    assert [(d.before, d.after, d.kept) for d in outcome.decisions] == [("1", "2", False)] * 2


def test_a_value_that_stands_is_kept_and_nothing_is_edited():
    outcome, out = run(setting(lambda item: put(item, ("data", "k"), "1", ORIGIN)), HEAD + config_map("a"))
    assert out == HEAD + config_map("a")
    assert [d.kept for d in outcome.decisions] == [True]
    assert outcome.operations == ()


def test_one_error_keeps_every_item_and_all_findings_come():
    def plan(config, resources, tools):
        first, second = resources
        yield put(first, ("data", "k"), "2", ORIGIN)
        yield Finding("info", "i", None, "nice", first)
        yield Finding("error", "e", "7", "must not", second, ("data", "k"))
        yield Finding("warning", "w", None, "hm", first)

    text = HEAD + config_map("a") + config_map("b")
    outcome, out = run(plan, text)
    assert outcome.failed
    assert out.startswith(text)
    assert [entry["severity"] for entry in decode.to_data(decode.parse(out))["results"]] == ["warning", "info", "error"]
    assert outcome.operations == ()


def test_strict_makes_errors_of_warnings():
    text = HEAD + config_map("a")
    plan = setting(lambda item: Finding("warning", "w", None, "hm", item), lambda item: put(item, ("data", "k"), "2", ORIGIN))
    assert not run(plan, text)[0].failed
    outcome, out = run(plan, text, SimpleNamespace(strict=True))
    assert outcome.failed
    assert out.startswith(text)


def test_an_item_that_cannot_be_read_is_a_finding_with_its_place():
    text = HEAD + "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n  data:\n    k: 1\n    k: 2\n"
    outcome, _ = run(setting(lambda item: Finding("info", "i", None, str(item.data), item)), text)
    assert outcome.failed
    line = text.count("\n")
    assert findings.message(outcome.findings[0]) == f"stdin:{line}:5: ConfigMap a: must not repeat the key `k`"


def test_an_item_that_nobody_reads_passes_as_it_came():
    text = HEAD + "- apiVersion: v1\n  kind: Other\n  metadata:\n    name: a\n  data:\n    k: 1\n    k: 2\n" + config_map("b")
    outcome, out = run(setting(lambda item: put(item, ("data", "k"), "2", ORIGIN)), text)
    assert not outcome.failed
    assert out == text.replace('k: "1"', 'k: "2"')


def test_a_put_without_a_place_is_an_error_of_its_item():
    outcome, _ = run(setting(lambda item: put(item, ("spec", "a", "b"), 1, ORIGIN)), HEAD + config_map("a"))
    assert outcome.failed
    assert "`spec.a`" in outcome.findings[0].message


def test_only_byte_equal_items_with_the_same_resource_id_are_repeats():
    twice = config_map("a", annotations=annotated(**{"internal.config.k8s.io/kpt-resource-id": "3"}))
    other = config_map("a", "2", annotated(**{"internal.config.kubernetes.io/kpt-resource-id": "4"}))
    text = HEAD + twice + config_map("b") + twice + other + config_map("b")
    outcome, out = run(setting(), text)
    assert out.startswith(HEAD + twice + config_map("b") + other + config_map("b"))
    assert [finding.kind for finding in outcome.findings] == ["repeat"]
    patched = jsonpatch.apply_patch(decode.to_data(decode.parse(text)), list(outcome.operations))
    assert patched["items"] == items(out)


@pytest.mark.parametrize(
    ("step", "dropped"),
    [
        (lambda item: put(item, ("data", "k"), "2", ORIGIN), False),
        (lambda item: put(item, ("data", "new"), "2", ORIGIN), True),
        (lambda item: drop(item, ("data", "k"), ORIGIN), True),
        (lambda item: mark(item, "seen", "yes"), True),
    ],
)
def test_the_id_annotations_go_where_a_key_came_or_went(step, dropped):
    ids = {
        "internal.config.kubernetes.io/id": "1",
        "config.k8s.io/id": "1",
        "internal.config.kubernetes.io/seqindent": "compact",
    }
    outcome, out = run(setting(step), HEAD + config_map("a", annotations=annotated(**ids)))
    left = items(out)[0]["metadata"]["annotations"]
    assert ("config.k8s.io/id" in left, "internal.config.kubernetes.io/id" in left) == (not dropped, not dropped)
    assert "internal.config.kubernetes.io/seqindent" in left
    assert not outcome.failed


def test_hidden_annotations_stay_when_a_planner_writes_all_annotations():
    hidden = annotated(**{"internal.config.kubernetes.io/path": "a.yaml", "config.kubernetes.io/index": "0"})
    _, out = run(
        setting(lambda item: put(item, ("metadata", "annotations"), {"own": "x"}, ORIGIN)),
        HEAD + config_map("a", annotations=hidden),
    )
    assert items(out)[0]["metadata"]["annotations"] == {
        "internal.config.kubernetes.io/path": "a.yaml",
        "config.kubernetes.io/index": "0",
        "own": "x",
    }


def test_a_move_takes_the_element_along():
    text = HEAD + "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n  list:\n  - a # one\n  - b\n"
    _, out = run(setting(lambda item: move(item, ("list", 0), 1)), text)
    assert out.endswith("  - b\n  - a # one\n")


# Generated objects


def generating(part="", **data):
    def plan(config, resources, tools):
        for item in resources.select("Source", group="example.org"):
            value = {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": f"{item.name}-out"},
                "data": {"v": item.data["value"], **data},
            }
            yield new(value, item, part)

    return plan


def source(name, value, annotations=""):
    return f"- apiVersion: example.org/v1\n  kind: Source\n  metadata:\n    name: {name}\n{annotations}  value: {value}\n"


def test_a_new_object_carries_its_marks_and_a_path_beside_its_source():
    place = annotated(**{"internal.config.kubernetes.io/path": "dir/a.yaml"})
    _, out = run(generating(), HEAD + source("a", 1, place) + source("b", 2, place))
    first, second = items(out)[2:]
    assert first["metadata"]["annotations"] == {
        "krm-values.dev/generated-by": "demo-values",
        "krm-values.dev/generated-from": "Source.example.org//a",
        "config.kubernetes.io/path": "dir/a.yaml",
        "config.kubernetes.io/index": "1",
    }
    assert second["metadata"]["annotations"]["config.kubernetes.io/index"] == "2"


def test_of_new_objects_in_one_new_file_the_first_has_an_index_too():
    """Without one, kpt sorts it to any place among the others."""

    def plan(config, resources, tools):
        for item in resources.select("Source", group="example.org"):
            for name in ("green", "blue", "red"):
                yield New({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}, item, name, "dir/new.yaml")

    place = annotated(**{"internal.config.kubernetes.io/path": "dir/a.yaml"})
    _, out = run(plan, HEAD + source("a", 1, place))
    found = [item["metadata"]["annotations"]["config.kubernetes.io/index"] for item in items(out)[1:]]
    assert found == ["0", "1", "2"]


def test_a_second_run_changes_nothing_and_a_new_source_only_the_object():
    _, out = run(generating(), HEAD + source("a", 1) + config_map("z"))
    outcome, again = run(generating(), out)
    assert again == out
    assert outcome.operations == ()
    commented = out.replace("v: 1", "v: 1 # from a")
    assert run(generating(), commented)[1] == commented
    assert run(generating(), commented.replace("value: 1", "value: 5"))[1] == commented.replace("value: 1", "value: 5").replace(
        "v: 1 #", "v: 5 #"
    )


def test_an_object_whose_source_is_gone_is_removed_with_an_information():
    _, out = run(generating(), HEAD + source("a", 1) + source("b", 2))
    outcome, left = run(generating(), out.replace(source("b", 2), ""))
    assert [item["metadata"]["name"] for item in items(left)] == ["a", "a-out"]
    assert [(f.severity, f.item.name) for f in outcome.findings] == [("info", "b-out")]


def test_an_object_of_the_same_name_without_the_mark_is_never_touched():
    text = HEAD + source("a", 1) + config_map("a-out")
    outcome, out = run(generating(), text)
    assert outcome.failed
    assert out.startswith(text)
    assert "Source.example.org//a" in outcome.findings[0].message


def test_two_sources_must_not_write_one_object():
    def plan(config, resources, tools):
        for item in resources.select("Source", group="example.org"):
            yield New({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "same"}}, item)

    outcome, _ = run(plan, HEAD + source("a", 1) + source("b", 2))
    assert "Source.example.org//a of stdin:4 and from Source.example.org//b of stdin:" in outcome.findings[0].message


def test_own_objects_are_no_input_and_others_marks_are():
    seen: list[object] = []

    def plan(config, resources, tools):
        seen.append([item.name for item in resources])
        seen.append(resources.find("ConfigMap", "", "", "a-out"))
        yield from ()

    mine = annotated(**{"krm-values.dev/generated-by": "demo-values", "krm-values.dev/generated-from": "x"})
    other = annotated(**{"krm-values.dev/generated-by": "flux-values", "krm-values.dev/generated-from": "x"})
    run(plan, HEAD + config_map("a-out", annotations=mine) + config_map("b", annotations=other))
    assert seen[0] == ["b"]
    assert seen[1] == Missing((), own=True)


def test_puts_on_a_new_object_are_part_of_it():
    def plan(config, resources, tools):
        made = New({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}, "data": {}}, next(iter(resources)))
        yield made
        yield Put(made, ("data", "k"), "v")

    assert items(run(plan, HEAD + source("a", 1))[1])[1]["data"] == {"k": "v"}


# Look-ups


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (("ConfigMap", "", "", "a"), ["a"]),
        (("ConfigMap", "", "x", "a"), "near"),
        (("ConfigMap", "", "", "old"), ["p-old"]),
        (("ConfigMap", "", "", "twice"), "several"),
        (("Secret", "", "", "a"), "missing"),
    ],
)
def test_find(reference, expected):
    previous = {
        "internal.config.kubernetes.io/previousKinds": "ConfigMap",
        "internal.config.kubernetes.io/previousNames": "old",
        "internal.config.kubernetes.io/previousNamespaces": "default",
    }
    text = (
        HEAD
        + config_map("a")
        + config_map("p-old", annotations=annotated(**previous))
        + config_map("twice")
        + config_map("twice", "2")
    )
    found = []

    def plan(config, resources, tools):
        found.append(resources.find(*reference))
        yield from ()

    run(plan, text)
    match found[0]:
        case Missing(near, own):
            assert expected == ("near" if near else "missing")
            assert not own
        case Several(several):
            assert expected == "several"
            assert len(several) == 2
        case item:
            assert [item.name] == expected


def test_files_say_where_an_item_begins():
    found = documents.read(b"# c\n---\na: 1\n---\nkind: K\nmetadata:\n  name: n\n", "dir/f.yaml", "pkg")
    assert [(item.position.path, item.position.index, item.position.line) for item in found.items] == [
        ("pkg/dir/f.yaml", 0, 3),
        ("pkg/dir/f.yaml", 1, 5),
    ]
