"""`krm-values glasskube new` and `set`: write a Package whose values its manifest accepts; `set` changes no other byte."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path as File
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError, InputsError, UsageError
from krm_values._data.pointer import get
from krm_values._data.shown import described
from krm_values._krm import documents
from krm_values._krm.files import read_named
from krm_values._krm.write import Change, clear, digest, put_file, write
from krm_values._run.arguments import LOCK_TIMEOUT
from krm_values._run.pipeline import alone
from krm_values._run.terminal import is_on_terminal, say, send, tell
from krm_values._yaml import emit
from krm_values._yaml.edit.editor import Editor
from krm_values.glasskube_values.files import Files, checked, inputs, manifest_in
from krm_values.glasskube_values.packages import GROUP, KINDS

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Mapping

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._krm.documents import Documents
    from krm_values._krm.item import Item
    from krm_values.glasskube_values.manifest import Definition, Manifest

_VALUES = ("spec", "values")


def new(options: Namespace) -> int:
    """Print a Package, or write it to a new file."""
    given = _assignments(options.files)
    if options.output and os.path.lexists(options.output):
        raise UsageError(f"{options.output}: must not exist yet; `krm-values glasskube set` changes a Package")
    version = options.package_version or _version_of(os.path.abspath(options.manifest))
    manifest = manifest_in(options.manifest, limits=options.limits)
    _check(manifest, given)
    asks = sys.stdin.isatty() and is_on_terminal()
    values = _entered(manifest, given, sys.stdin.readline if asks else None)
    missing = [one.name for one in manifest.definitions.values() if one.required and one.name not in values]
    _refuse([f"`{name}` is required: give it as `{name}=VALUE`" for name in missing])
    made = _package(manifest, options.name or manifest.name, options.namespace, version, values)
    content = ("\n".join(emit.block(made)) + "\n").encode()
    if options.output:
        put_file(File(options.output), content)
    else:
        send([content])
    return 0


def set_values(options: Namespace) -> int:
    """Set values in the file of a Package."""
    given = _assignments(options.files)
    content, source, item = _package_in(options.package, options.limits)
    named = get(item.data, ("spec", "packageInfo", "name"))
    name = named if isinstance(named, str) else ""
    is_named = bool(options.manifest)
    _check(manifest_in(options.manifest, name, options.limits) if is_named else _manifest_beside(options, name), given)
    changed = _store(options.package, content, _edited(source, item, given))
    say(f"updated: {options.package}" if changed else "changed: nothing")
    return 0


def _assignments(words: Iterable[str]) -> dict[str, str]:
    """Return `NAME=VALUE` words as values by name. UsageError for a word of another form, or a name that comes twice."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name:
            raise UsageError(f"must be NAME=VALUE; found {described(word)}")
        if name in found:
            raise UsageError(f"`{name}` must be given once")
        found[name] = text
    return found


def _version_of(path: str) -> str:
    """Return the version in a manifest's whole path, the name of its directory: `/packages/foo/v1.0.0+1/package.yaml`. UsageError if it is not one."""
    name = path.rpartition("/")[0].rpartition("/")[2]
    if not re.fullmatch(r"v[0-9]+\.[0-9]+\.[0-9]+[-+.0-9A-Za-z]*", name):
        raise UsageError("the manifest's directory is not named after a version: give it with `--package-version`")
    return name


def _check(manifest: Manifest, values: Mapping[str, str]) -> None:
    """Raise InputError with all that is wrong with values: unknown names, and what the definitions refuse."""
    wrong = []
    for name, text in values.items():
        definition = manifest.definitions.get(name)
        if definition is None:
            wrong.append(f"`{name}` is not a value of {manifest.name}{suggest.hint(name, manifest.definitions)}")
        else:
            wrong += [f"`{name}` {fault}" for fault in _faults(definition, text)]
    _refuse(wrong)


def _faults(definition: Definition, text: str) -> list[str]:
    """Return why a text is not a value of a definition. A required value must not be empty here, while a run only warns."""
    if definition.required and not text:
        return ["is required and must not be empty"]
    known = definition.options if definition.type == "options" else ()
    hint = suggest.hint(text, filter(None, known), '"')
    return [violation.text() + hint for violation in definition.violations(text)]


def _refuse(wrong: list[str]) -> None:
    if wrong:
        raise InputsError(wrong)


def _entered(manifest: Manifest, given: Mapping[str, str], type_in: Callable[[], str] | None) -> dict[str, str]:
    """Return all values of a new Package, in the manifest's order: given, else asked for, else the default. type_in: reads a line from the terminal."""
    found = {}
    for name, definition in manifest.definitions.items():
        text = given[name] if name in given else _asked(definition, type_in) if type_in else definition.default
        if text or name in given:
            found[name] = text
    return found


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
        wrong = _faults(definition, text) if text or definition.required else []
        if not wrong:
            return text
        say(*(f"error: {fault}" for fault in wrong))


def _package(manifest: Manifest, name: str, namespace: str, version: str, values: Mapping[str, str]) -> dict[str, JSON]:
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


def _manifest_beside(options: Namespace, name: str) -> Manifest:
    """Return the manifest of a name in the directory of the Package, or below it."""
    files, path = Files(), options.package
    for file, content, is_package in inputs([os.path.dirname(path) or "."], options):
        files.add(file, content, is_package=is_package)
    found = [one for one in files.manifests if isinstance(one.data, dict) and one.data.get("name") == name]
    if len(found) != 1:
        raise InputError(f'{len(found)} manifests called "{name}" are beside it: name the file with `--manifest`', file=path)
    return checked(found[0])


def _package_in(path: str, limits: Limits) -> tuple[bytes, Documents, Item]:
    """Return the content of a file and the one Package in it. InputError if there is none, or several."""
    content = read_named(path, limits)
    source = documents.read(content, path, limits=limits)
    found = [item for item in source.items if item.group == GROUP and item.kind in KINDS]
    if len(found) != 1:
        raise InputError(f"must hold one Package or ClusterPackage, found {len(found)}", file=path)
    (item,) = found
    if item.error:
        raise item.error
    return content, source, item


def _edited(source: Documents, item: Item, values: Mapping[str, str]) -> bytes:
    """Return the file with these values as literals, in place of what the Package had under their names."""
    editor = Editor(source.text(item.number), is_json=source.is_json(item.number))
    for name, text in values.items():
        path = (*_VALUES, name)
        entry = get(editor.data, path)
        if not isinstance(get(editor.data, _VALUES), dict):
            editor.put(_VALUES, {name: {"value": text}})
        elif isinstance(entry, dict) and [*entry] == ["value"]:
            editor.put((*path, "value"), text)
        else:
            editor.put(path, {"value": text})
    return source.write({item.number: editor.text()}, frozenset(), [])


def _store(path: str, old: bytes, new: bytes) -> bool:
    """Write a file that was read; return whether anything changed."""
    if new == old:
        return False
    file = File(path)
    with alone(file.parent, LOCK_TIMEOUT):
        tell(*(f"warning: {text}" for text in clear(file.parent, os.listdir(file.parent))))
        write(file.parent, [Change(file.name, digest(old), new)])
    return True
