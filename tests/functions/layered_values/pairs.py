"""The pairs of docs/moving-over.md, data in `moving_over/TOOL.yaml`: what is written for another tool, and the config that takes its place.

One YAML document is a pair; one without `id` has defaults for those below it.

- `input`: the resources. `theirs`: what the other tool is given: the data of a ConfigMap (apply-setters, search-replace), a list
  (apply-replacements), lines of a kustomization, arguments (helm), a file (ytt). `files`: files by name; for us, ConfigMaps.
  `template`: what ytt is given instead of `input`. `arguments`: of ytt.
- `ours`: the spec of a LayeredValues. Setters are a ConfigMap for us, too.
- `answer`: the fields that the tool changed, by resource; of helm, the values. Or `refused`: the tool's error.
- `differs`: the fields that we change, where they are others; `error`, `warns`: words of our error or warning. `same in a chart`: helm
  makes the same of our document.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from krm_values._data.data_edits import same
from tests.conformance.cases import State
from tests.functions.layered_values.support import data, run

FOLDER = Path(__file__).with_name("moving_over")
TOOLS = sorted(path.stem for path in FOLDER.glob("*.yaml"))
OWN = ("krm-values.dev/", "config.kubernetes.io/", "internal.config.kubernetes.io/")
"""Annotations of ours and of hosts, which say nothing about the result."""


def pairs(tool: str) -> list[dict[str, Any]]:
    """The pairs of a tool, in the order of its table."""
    default: dict[str, Any] = {"input": ""}
    found = []
    for document in yaml.safe_load_all((FOLDER / f"{tool}.yaml").read_text("utf-8")):
        if "id" in document:
            found.append({**default, **document})
        else:
            default |= document
    return found


def resources(pair: dict[str, Any]) -> list[str]:
    """The resources of a pair as text."""
    return [text for text in pair["input"].split("---\n") if text]


def text(*parts: str) -> str:
    """Text in one line, without indentation."""
    return " ".join(" ".join(parts).split())


def ours(tool: str, pair: dict[str, Any]) -> State:
    """A run of layered-values over a pair's resources, with the ConfigMaps that it needs for layers."""
    maps = {Path(name).stem: {name: text} for name, text in pair.get("files", {}).items()} if tool == "helm" else {}
    if tool == "apply-setters":
        maps = {"setters": yaml.safe_load(pair["theirs"])}
    layers = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": maps[name]} for name in maps]
    return run(pair["ours"], given=[*map(data, resources(pair)), *layers])


def changes(before: list[Any], after: list[Any]) -> dict[str, Any]:
    """The fields that differ, by resource; null where one is gone. A resource that is gone is null itself."""
    old, new = (
        {f"{item['kind']} {item['metadata']['name']}": dict(_leaves(item)) for item in items} for items in (before, after)
    )
    found: dict[str, Any] = dict.fromkeys(old.keys() - new.keys())
    for name, fields in new.items():
        was = old.get(name, {})
        changed = {path: value for path, value in fields.items() if path not in was or not same(was[path], value)}
        found[name] = {**dict.fromkeys(was.keys() - fields.keys()), **changed}
    return {name: fields for name, fields in found.items() if fields != {}}


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each scalar and each empty map or list, with its path."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            if not (path.endswith("metadata.annotations") and key.startswith(OWN)):
                yield from _leaves(inner, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{index}]")
    else:
        yield path, value
