"""python scripts/catalog.py [DIRECTORY]: write catalog/FUNCTION/metadata.yaml and KRMFunctionDefinition.yaml, what a catalog wants to know.

Where images and sources are published is left to whoever owns the names: `${IMAGES}`, `${SOURCE}` and `${EMAIL}` stand in the files, and
`make dist` replaces those that it is given.
"""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._cli import manual
from krm_values._krm import names
from krm_values._run import registry
from krm_values._yaml import emit

if TYPE_CHECKING:
    from typing import Any

ROOT = Path(__file__).parent.parent
TAGS = {
    "cartographer-params": ["generator", "cartographer"],
    "envgene-sd": ["generator", "envgene"],
    "flux-values": ["generator", "mutator", "flux", "helm"],
    "giantswarm-config": ["generator", "mutator", "giantswarm", "helm"],
    "glasskube-values": ["mutator", "generator", "glasskube", "helm"],
    "layered-values": ["mutator", "generator", "layers"],
    "tekton-params": ["mutator", "tekton"],
}
"""What a function does with resources, then its subject; one that is not listed is a mutator."""


def main(directory: Path = ROOT / "catalog") -> None:
    """Write both files of every function, and nothing else."""
    shutil.rmtree(directory, ignore_errors=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for name in registry.functions():
        folder = directory / name
        folder.mkdir(parents=True)
        for file, content in (("metadata", metadata(name, project)), ("KRMFunctionDefinition", definition(name, project))):
            (folder / f"{file}.yaml").write_text("\n".join(emit.block(content, wide=True)) + "\n", "utf-8")


def metadata(name: str, project: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata that the catalog of kpt asks for."""
    return {
        "image": _image(name, project),
        "description": manual.summary(name),
        "tags": TAGS.get(name, ["mutator"]),
        "sourceURL": f"${{SOURCE}}/functions/krm_values/{names.module(name)}",
        "examplePackageURLs": [f"${{SOURCE}}/{example}" for example in examples(name)],
        "emails": ["${EMAIL}"],
        "license": project["license"],
    }


def definition(name: str, project: dict[str, Any]) -> dict[str, Any]:
    """Return the KRMFunctionDefinition, from which kyaml reads the schema of the functionConfig."""
    version = {
        "name": names.API_VERSION.rpartition("/")[2],
        "schema": {"openAPIV3Schema": openapi(manual.schema(name))},
        "idempotent": True,
        "usage": f"${{SOURCE}}/functions/krm_values/{names.module(name)}/README.md",
        "examples": [f"${{SOURCE}}/{example}" for example in examples(name)],
        "license": project["license"],
        "runtime": {"container": {"image": _image(name, project)}},
    }
    return {
        "apiVersion": "config.kubernetes.io/v1alpha1",
        "kind": "KRMFunctionDefinition",
        "metadata": {"name": name, "annotations": {"config.kubernetes.io/local-config": "true"}},
        "spec": {
            "group": names.GROUP,
            "names": {"kind": names.kind(name)},
            "description": manual.summary(name),
            "home": "${SOURCE}",
            "tags": TAGS.get(name, ["mutator"]),
            "versions": [version],
        },
    }


def examples(name: str) -> list[str]:
    """Return the packages that show a function, from the project's root."""
    return sorted(folder.relative_to(ROOT).as_posix() for folder in (ROOT / "examples" / name).glob("*/"))


def openapi(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON Schema in the words that OpenAPI 3.0 has. What it cannot say (`if`) is left out, so that it accepts more, never less."""
    found: dict[str, Any] = _openapi(schema, schema.get("$defs", {}))
    return found


def _openapi(form: Any, shared: dict[str, Any]) -> Any:
    if "$ref" in form:
        target = shared[form["$ref"].removeprefix("#/$defs/")]
        return _openapi({**target, **{key: value for key, value in form.items() if key != "$ref"}}, shared)
    made: dict[str, Any] = {}
    for key, value in form.items():
        match key:
            case "$schema" | "$defs" | "title" | "if" | "then" | "else":
                pass
            case "const":
                made["enum"] = [value]
            case "properties":
                made[key] = {name: _openapi(field, shared) for name, field in value.items()}
            case "items" | "additionalProperties" if isinstance(value, dict):
                made[key] = _openapi(value, shared)
            case "anyOf" | "type" if isinstance(value, list):
                made |= _either(value if key == "anyOf" else [{"type": kind} for kind in value], shared)
            case "default" if value is None:
                pass
            case _:
                made[key] = value
    return made


def _either(kinds: list[dict[str, Any]], shared: dict[str, Any]) -> dict[str, Any]:
    """Return a choice between schemas. OpenAPI 3.0 has no type null: each of the others is nullable instead."""
    others = [_openapi(kind, shared) for kind in kinds if kind.get("type") != "null"]
    if len(others) < len(kinds):
        others = [{**kind, "nullable": True} for kind in others]
    return others[0] if len(others) == 1 else {"anyOf": others}


def _image(name: str, project: dict[str, Any]) -> str:
    return f"${{IMAGES}}/{name}:v{project['version']}"


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
