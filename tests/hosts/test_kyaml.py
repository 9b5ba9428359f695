"""kyaml reads the KRMFunctionDefinitions of catalog/, and takes the configs that our parser takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from krm_values._krm import names
from krm_values._run import registry
from tests.cli.test_schema import VALUES, is_accepted
from tests.oracles import go

ROOT = Path(__file__).parents[2]


@pytest.mark.hosts
@pytest.mark.parametrize("name", registry.functions())
def test_kyaml_takes_the_configs_that_we_take(name):
    """It also refuses what we refuse, but for conditions (`if`), which OpenAPI does not have, and null where there is a choice of types."""
    go.needed("kubernetes")
    own = {"apiVersion": names.API_VERSION, "kind": names.kind(name), "metadata": {"name": "x"}}
    definition = (ROOT / "catalog" / name / "KRMFunctionDefinition.yaml").read_text("utf-8")
    spec = yaml.safe_load(definition)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    base: dict[str, Any] = {field: [] for field in spec.get("required", ())}
    configs = [own, own | {"spec": {}}, own | {"kind": "Other"}, own | {"unknown": 1}]
    configs += [own | {"spec": {**base, field: value}} for field in (*spec["properties"], "unknown") for value in VALUES]
    configs += [config for config in _written(name) if is_accepted(name, config)]
    group, _, version = names.API_VERSION.partition("/")
    asked = {"definition": definition, "group": group, "version": version, "kind": names.kind(name), "configs": configs}
    (said,) = go.ask("kubernetes", [asked])
    assert said["known"], said["errors"]
    differing = [
        (config, error)
        for config, error in zip(configs, said["errors"], strict=True)
        if is_accepted(name, config) == bool(error) and not _is_beyond(config)
    ]
    assert differing == []


def _is_beyond(config: dict[str, Any]) -> bool:
    """Return whether the config has a condition (`referenceDefaults: true` needs a mode), or null where kyaml takes it."""
    spec = config.get("spec") or {}
    return spec.get("referenceDefaults") is True or spec.get("useDefaults", False) is None


def _written(name: str) -> list[dict[str, Any]]:
    """Return the configs of the function in the examples."""
    texts = [path.read_text("utf-8") for path in (ROOT / "examples").rglob("*.yaml")]
    needle = f"kind: {names.kind(name)}\n"
    found = [document for text in texts if needle in text for document in yaml.safe_load_all(text)]
    mine = [one for one in found if isinstance(one, dict) and one.get("kind") == names.kind(name)]
    assert mine
    return [json.loads(json.dumps(one, default=str)) for one in mine]
