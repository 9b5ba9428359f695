"""Twenty manifests as people write them, four edits on each: the diff shows the lines concerned and no others.

`handmade/NAME.diff` holds the four diffs.
"""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from krm_values._data.data_edits import Put, Remove
from krm_values._data.pointer import to_field
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.data_edits import Edit

HERE = Path(__file__).parent / "handmade"
C0 = ("spec", "template", "spec", "containers", 0)
TASKS = ("spec", "tasks")
SCHEMA = ("spec", "versions", 0, "schema", "openAPIV3Schema", "properties", "spec")
EDITS: dict[str, list[Edit]] = {
    "01-comments.yaml": [
        Put(("spec", "replicas"), 5),
        Put(("metadata", "labels", "team"), "shop", after="app"),
        Put((*C0[:-1], 0), {"name": "init", "image": "busybox"}, insert=True),
        Remove((*C0, "args", 1)),
    ],
    "02-wide-gaps.yaml": [
        Put(("spec", "ports", 0, "port"), 8080),
        Put(("spec", "ports", 1, "protocol"), "TCP"),
        Put(("spec", "ports", 0), {"name": "metrics", "port": 9090}, insert=True),
        Remove(("spec", "externalIPs", 1)),
    ],
    "03-block-scalars.yaml": [
        Put(("data", "strip"), "one\ntwo\nthree"),
        Put(("data", "new.sh"), "a\nb\n", after="keep"),
        Put(("steps", 0), {"script": "zero\nth\n"}, insert=True),
        Remove(("data", "keep")),
    ],
    "04-four-spaces.yaml": [
        Put((*C0, "env", 0, "value"), "2"),
        Put((*C0, "resources", "requests"), {"cpu": "100m"}),
        Put(("spec", "template", "spec", "volumes", 0), {"name": "v", "emptyDir": {}}),
        Remove((*C0, "resources")),
    ],
    "05-odd-indents.yaml": [
        Put(("spec", "containers", 0, "command", 0), "bash"),
        Put(("metadata", "annotations", "d/e"), "on"),
        Put(("spec", "containers", 0), {"name": "zero", "ports": [{"containerPort": 80}]}, insert=True),
        Remove(("spec", "containers", 1)),
    ],
    "06-anchors.yaml": [
        Put(("data", "two"), 3),
        Put(("data", "three"), {"k": "v"}),
        Put(("tiers", 0), "first", insert=True),
        Remove(("tiers", 0)),
    ],
    "07-merge-keys.yaml": [
        Put(("limits", "cpu"), 8),
        Put(("requests", "net"), "fast"),
        Put(("list", 0), {"name": "first"}, insert=True),
        Remove(("requests", "disk")),
    ],
    "08-flow.yaml": [
        Put(("metadata", "labels", "tier"), "front"),
        Put(("spec", "nodeSelector", "disk"), "ssd", flow=True),
        Put(("spec", "containers", 0, "args", 0), "-0", insert=True),
        Remove(("spec", "containers", 0, "image")),
    ],
    "09-flow-lines.yaml": [
        Put(("metadata", "labels", "app"), "shop"),
        Put(("metadata", "labels", "team"), "core"),
        Put(("spec", "steps", 0, "args", 0), "--verbose", insert=True),
        Remove(("spec", "steps", 0, "args", 2)),
    ],
    "10-crlf.yaml": [
        Put(("data", "run"), "three\n"),
        Put(("metadata", "labels", "app"), "x"),
        Put(("items", 0), {"a": 1, "b": "two\nlines\n"}, insert=True),
        Remove(("data", "a")),
    ],
    "11-no-line-end.yaml": [
        Put(("list", 1, "run"), "first\nnew"),
        Put(("list", 1, "name"), "x"),
        Put(("list", 0), "zero", insert=True),
        Remove(("list", 1)),
    ],
    "12-keys.yaml": [
        Put(("data", "explicit"), "no"),
        Put(("data", "off"), "~", after=""),
        Put(("data", "more", 0), "zero", insert=True),
        Remove(("data", "quoted key")),
    ],
    "13-pretty.json": [
        Put(("spec", "containers", 0, "args", 1), "-c"),
        Put(("metadata", "labels", "app"), "x"),
        Put(("spec", "containers", 0), {"name": "zero", "args": []}, insert=True),
        Remove(("spec", "containers", 1)),
    ],
    "14-minified.json": [
        Put(("metadata", "name"), 'q"'),
        Put(("spec", "empty", "k"), [1]),
        Put(("spec", "containers", 0), {"name": "zero"}, insert=True),
        Remove(("metadata", "labels")),
    ],
    "15-tekton.yaml": [
        Put(("spec", "params", 1, "default"), "v1.0"),
        Put(("spec", "params", 0, "default"), "https://git", after="type"),
        Put((*TASKS, 0, "params", 0), {"name": "depth", "value": "1"}, insert=True),
        Remove((*TASKS, 0)),
    ],
    "16-nested-lists.yaml": [
        Put(("rows", 0, 0), "A"),
        Put(("rows", 5), ["filled"]),
        Put(("rows", 4, 0, 0), "first", insert=True),
        Remove(("rows", 0, 0)),
    ],
    "17-unicode.yaml": [
        Put(("data", "漢字"), "寛"),
        Put(("metadata", "annotations", "новое"), "да"),
        Put(("список", 0), "ноль", insert=True),
        Remove(("data", "ключ")),
    ],
    "18-frame.yaml": [
        Put(("metadata", "annotations", "a"), "one"),
        Put(("metadata", "annotations", "c"), "3"),
        Put(("spec", "ports", 0), {"port": 79}, insert=True),
        Remove(("metadata", "annotations", "b")),
    ],
    "19-empties.yaml": [
        Put(("metadata", "labels"), {"app": "web"}),
        Put(("metadata", "annotations", "a"), "b"),
        Put(("list", 0), "zero", insert=True),
        Remove(("list", 2)),
    ],
    "20-schema.yaml": [
        Put((*SCHEMA, "default"), "short"),
        Put((*SCHEMA, "nullable"), True, after="pattern"),
        Put((*SCHEMA, "enum", 0), "maybe", insert=True),
        Remove((*SCHEMA, "enum", 1)),
    ],
}


def diff_of(name: str) -> str:
    text = (HERE / name).read_bytes().decode()
    parts = []
    for edit in EDITS[name]:
        editor = Editor(text, is_json=name.endswith("json"))
        editor.make(edit)
        parts.append(f"{type(edit).__name__.lower()} {to_field(edit.path)}\n")
        changes = difflib.unified_diff(text.splitlines(keepends=True), editor.text().splitlines(keepends=True), n=0)
        parts += [line if line.endswith("\n") else line + "\n\\ no line end\n" for line in list(changes)[2:]]
    return "".join(parts).replace("\r", "\\r")


@pytest.mark.parametrize("name", EDITS)
def test_only_the_lines_concerned_differ(name):
    assert diff_of(name) == (HERE / name).with_suffix(".diff").read_text()


@pytest.mark.parametrize("name", EDITS)
def test_setting_what_stands_there_already_is_no_edit(name):
    text = (HERE / name).read_bytes().decode()
    editor = Editor(text, is_json=name.endswith("json"))
    assert not any(editor.put(path, value) for path, value in _leaves(decode.to_data(decode.parse(text))))
    assert editor.text() == text


def _leaves(data, path=()):
    yield path, data
    for part, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from _leaves(value, (*path, part))
