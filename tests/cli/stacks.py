"""Packages of a HelmRelease and its layers, and their values before and after a change."""

from __future__ import annotations

import random
import shutil
import textwrap
from pathlib import Path
from typing import Any

import yaml
from tests.cli.packages import kptfile, write

from krm_values._explain import differences, sides
from krm_values._run import pipeline

EXAMPLES = Path(__file__).parents[2] / "examples"
STACKS = 100
KEYS = ("a", "b", "c", "deep")
COMPOSED = "ConfigMap team/web-flux-values"


def layer(name: str, values: dict[str, Any], kind: str = "ConfigMap") -> str:
    field = "stringData" if kind == "Secret" else "data"
    head = f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: team}}\n{field}:\n  values.yaml: |\n"
    return head + textwrap.indent(yaml.safe_dump(values), "    ")


def release(names: list[str], values: dict[str, Any]) -> str:
    spec = {"valuesFrom": [{"kind": "ConfigMap", "name": name, "optional": True} for name in names], "values": values}
    head = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": "web", "namespace": "team"}}
    return yaml.safe_dump({**head, "spec": spec})


def some(picked: random.Random) -> dict[str, Any]:
    values: dict[str, Any] = {key: picked.randrange(3) for key in KEYS[:3] if picked.random() < 0.7}
    return {**values, "deep": {key: picked.randrange(3) for key in KEYS[:2] if picked.random() < 0.8} or {"x": 1}}


def stack(directory: Path, picked: random.Random) -> list[str]:
    """A package of a release and some layers; their names."""
    names = [f"layer-{number}" for number in range(picked.randrange(1, 5))]
    files = {f"{name}.yaml": layer(name, some(picked)) for name in names}
    write(directory, {"Kptfile": kptfile("exec: krm-flux-values"), "release.yaml": release(names, some(picked)), **files})
    return names


def leaves(data: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    if not isinstance(data, dict) or not data:
        return {path: data}
    return {where: value for key, below in data.items() for where, value in leaves(below, (*path, key)).items()}


def composed(directory: Path, tmp_path: Path) -> dict[tuple[str, ...], Any]:
    """The leaves of the values that `render` writes."""
    copy = tmp_path / "rendered"
    shutil.rmtree(copy, ignore_errors=True)
    done = pipeline.rendered(directory, skip_foreign=False, follow_links=False)
    texts = [one.text for one in done.loaded.tree.documents if "generated-by" in one.text]
    return leaves(yaml.safe_load(yaml.safe_load(texts[0])["data"]["values.yaml"])) if texts else {}


def side(directory: Path) -> sides.Side:
    return sides.Side(pipeline.rendered(directory, skip_foreign=False, follow_links=False), show_secrets=False)


def told(found: list[differences.Difference]) -> dict[tuple[str, ...], tuple[Any, Any]]:
    return {
        tuple(map(str, one.place.inner)): tuple(None if side is None else side.value for side in (one.before, one.after))  # type: ignore[misc]
        for one in found
        if one.title == COMPOSED and one.place and one.place.inner is not None and one.kind != differences.WINNER
    }


def really(before: dict[tuple[str, ...], Any], after: dict[tuple[str, ...], Any]) -> dict[tuple[str, ...], tuple[Any, Any]]:
    both = {**before, **after}
    return {key: (before.get(key), after.get(key)) for key in both if before.get(key) != after.get(key)}


STACK = {
    "Kptfile": kptfile("exec: krm-flux-values"),
    "release.yaml": release(["base"], {"replicas": 3}),
    "base.yaml": layer("base", {"image": {"tag": "v1"}, "replicas": 2}),
}
