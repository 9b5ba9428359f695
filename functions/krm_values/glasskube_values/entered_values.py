"""Data entry: the values of a Package as people give them, checked by the manifest's definitions, and asked for on a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError, InputsError, UsageError
from krm_values._data.shown import described
from krm_values._kit.process.terminal import say
from krm_values.glasskube_values import constraints
from krm_values.glasskube_values.packages import GROUP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from krm_values._data.values import JSON
    from krm_values.glasskube_values.manifest import Definition, Manifest


def assignments(words: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` words as values by name. UsageError for a word of another form, or a name that comes twice."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name:
            raise UsageError(f"must be NAME=VALUE; found {described(word)}")
        if name in found:
            raise UsageError(f"`{name}` must be given once")
        found[name] = text
    return found


def check(manifest: Manifest, values: Mapping[str, str]) -> None:
    """InputError with all that is wrong with values: unknown names, and what the definitions refuse."""
    wrong = []
    for name, text in values.items():
        definition = manifest.definitions.get(name)
        if definition is None:
            wrong.append(f"`{name}` is not a value of {manifest.name}{suggest.hint(name, manifest.definitions)}")
        else:
            wrong += [f"`{name}` {fault}" for fault in faults(definition, text)]
    _refuse(wrong)


def complete(manifest: Manifest, values: Mapping[str, str]) -> None:
    """Raise InputError for the required values that are not given."""
    missing = [one.name for one in manifest.definitions.values() if one.required and one.name not in values]
    _refuse([f"`{name}` is required: give it as `{name}=VALUE`" for name in missing])


def faults(definition: Definition, text: str) -> list[str]:
    """Return why a text is not a value of a definition."""
    if definition.required and not text:
        return ["is required and must not be empty"]
    known = definition.options if definition.type == "options" else ()
    hint = suggest.hint(text, filter(None, known), '"')
    return [violation.text() + hint for violation in constraints.check(definition.checked, text)]


def entered(manifest: Manifest, given: Mapping[str, str], type_in: Callable[[], str] | None) -> dict[str, str]:
    """Return all values of a new Package, in the manifest's order: given, else asked for, else the default. type_in: reads a line from the terminal."""
    found = {}
    for name, definition in manifest.definitions.items():
        text = given[name] if name in given else _asked(definition, type_in) if type_in else definition.default
        if text or name in given:
            found[name] = text
    return found


def version_of(path: str) -> str:
    """Return the version in a manifest's whole path, the name of its directory: `/packages/foo/v1.0.0+1/package.yaml`. UsageError if it is not one."""
    name = path.rpartition("/")[0].rpartition("/")[2]
    if not re.fullmatch(r"v[0-9]+\.[0-9]+\.[0-9]+[-+.0-9A-Za-z]*", name):
        raise UsageError("the manifest's directory is not named after a version: give it with `--package-version`")
    return name


def package(manifest: Manifest, name: str, namespace: str, version: str, values: Mapping[str, str]) -> dict[str, JSON]:
    """Return a Package of these values; a ClusterPackage where the manifest's scope says so."""
    in_namespace = manifest.scope == "Namespaced"
    metadata: dict[str, JSON] = {"name": name}
    if in_namespace and (namespace or manifest.default_namespace):
        metadata["namespace"] = namespace or manifest.default_namespace
    spec: dict[str, JSON] = {"packageInfo": {"name": manifest.name, "version": version}}
    if values:
        spec["values"] = {one: {"value": text} for one, text in values.items()}
    kind = "Package" if in_namespace else "ClusterPackage"
    return {"apiVersion": f"{GROUP}/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}


def _asked(definition: Definition, type_in: Callable[[], str]) -> str:
    """Return what is typed on the terminal; nothing typed is the default. It is asked for again until the definition takes it."""
    if definition.description:
        say(definition.description)
    options = f" ({', '.join(definition.options)})" if definition.options else f" ({definition.type})"
    default = f" [{definition.default}]" if definition.default else ""
    needed = ", required" if definition.required else ""
    while True:
        say(f"{definition.label or definition.name}{options}{needed}{default}:")
        line = type_in()
        if not line:
            raise InputError("the input ended before all values were given: nothing was written")
        text = line.rstrip("\r\n") or definition.default
        wrong = faults(definition, text) if text or definition.required else []
        if not wrong:
            return text
        say(*(f"error: {fault}" for fault in wrong))


def _refuse(wrong: list[str]) -> None:
    if wrong:
        raise InputsError(wrong)
