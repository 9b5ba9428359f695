"""catalog/ has what `scripts/catalog.py` makes, in the words of OpenAPI 3.0, and kyaml reads it as our parser reads a config."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from krm_values._krm import names
from krm_values._run import registry
from tests.cli.test_schema import VALUES, is_accepted
from tests.oracles import go

ROOT = Path(__file__).parent.parent
CATALOG = ROOT / "catalog"
KEYS = ["image", "description", "tags", "sourceURL", "examplePackageURLs", "emails", "license"]
WORDS = {
    *("additionalProperties", "anyOf", "default", "description", "enum", "items", "maxProperties", "minProperties"),
    *("nullable", "properties", "required", "type"),
}
"""What the schemas use of OpenAPI 3.0: a `type` is one word, and there is no null."""
ROLES = {"mutator", "validator", "generator"}


def _read(name: str, file: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((CATALOG / name / f"{file}.yaml").read_text("utf-8"))
    return found


def _files(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()}


def _schema(name: str) -> dict[str, Any]:
    (version,) = _read(name, "KRMFunctionDefinition")["spec"]["versions"]
    found: dict[str, Any] = version["schema"]["openAPIV3Schema"]
    return found


def test_the_catalog_is_what_the_script_makes(tmp_path):
    subprocess.run([sys.executable, ROOT / "scripts/catalog.py", tmp_path / "made"], check=True)
    assert _files(CATALOG) == _files(tmp_path / "made")


@pytest.mark.parametrize("name", registry.functions())
def test_the_metadata_has_what_the_catalog_of_kpt_asks_for(name):
    found = _read(name, "metadata")
    assert list(found) == KEYS
    assert ROLES & {*found["tags"]}
    assert all(found[key] for key in KEYS if key != "examplePackageURLs")
    places = [found["sourceURL"], *found["examplePackageURLs"]]
    assert all(place.startswith("${SOURCE}/") and (ROOT / place.removeprefix("${SOURCE}/")).is_dir() for place in places)
    assert bool(found["examplePackageURLs"]) == (ROOT / "examples" / name).is_dir()


@pytest.mark.parametrize("name", registry.functions())
def test_every_schema_keeps_to_openapi(name):
    forms = [_schema(name)]
    for form in forms:
        assert {*form} <= WORDS
        assert form.get("type", "object") in {"object", "array", "string", "integer", "number", "boolean"}
        nested = [form.get(key) for key in ("items", "additionalProperties")]
        nested += [*form.get("properties", {}).values(), *form.get("anyOf", [])]
        forms += [each for each in nested if isinstance(each, dict)]
    assert len(forms) > 5


@pytest.mark.hosts
@pytest.mark.parametrize("name", registry.functions())
def test_kyaml_takes_the_configs_that_we_take(name):
    """It also refuses what we refuse, but for conditions (`if`), which OpenAPI does not have, and null where there is a choice of types."""
    go.needed("kubernetes")
    own = {"apiVersion": names.API_VERSION, "kind": names.kind(name), "metadata": {"name": "x"}}
    fields = _schema(name)["properties"]["spec"]["properties"]
    base: dict[str, Any] = {field: [] for field in _schema(name)["properties"]["spec"].get("required", ())}
    configs = [own, own | {"spec": {}}, own | {"kind": "Other"}, own | {"unknown": 1}]
    configs += [own | {"spec": {**base, field: value}} for field in (*fields, "unknown") for value in VALUES]
    configs += [config for config in _written(name) if is_accepted(name, config)]
    group, _, version = names.API_VERSION.partition("/")
    definition = (CATALOG / name / "KRMFunctionDefinition.yaml").read_text("utf-8")
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
