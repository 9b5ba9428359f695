"""catalog/ is what `scripts/catalog.py` makes, in the words of OpenAPI 3.0."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from krm_values._run import registry

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
