"""`krm-values lint glasskube-values` and `schema --manifest`: manifests in files, as the operator and a run read them.

A `package.yaml` is read as Go reads it; PackageInfos, PackageManifests and functionConfigs hold manifests, too, and the plain resources
beside a manifest are what its targets may match.
"""

from __future__ import annotations

import json
import os
import posixpath
import sys
from pathlib import Path as File
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._data.shown import json_text, type_of
from krm_values._go.yaml import read as read_go_yaml
from krm_values._krm import documents, findings, names
from krm_values._krm.files import read_named
from krm_values._krm.findings import Report
from krm_values._krm.item import Header, Item, Position, Reading
from krm_values._krm.plan import Finding
from krm_values._run import report, resolve
from krm_values._yaml.encoding import is_blank
from krm_values.glasskube_values import lint as linting
from krm_values.glasskube_values import packages
from krm_values.glasskube_values.decoding import Fault, as_string
from krm_values.glasskube_values.manifest import read as read_manifest
from krm_values.glasskube_values.schema import of_values

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Iterator

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.yaml import GoText
    from krm_values.glasskube_values.lint import Sibling
    from krm_values.glasskube_values.manifest import Manifest

_INFO, _WRAPPER, _CONFIG = (packages.GROUP, "PackageInfo"), (names.GROUP, packages.WRAPPER), (names.GROUP, "GlasskubeValues")
_LIST = "ResourceList"
_PACKAGE = ("package.yaml", "package.yml")


def lint(options: Namespace) -> int:
    """Print the findings on the manifests in files and directories, one per line; return 1 on an error, with `--strict` also on a warning."""
    files = Files()
    for name, content, is_package in inputs(options.files, options, follow_links=options.follow_links):
        files.add(name, content, is_package=is_package)
    if not files.manifests and not files.report.findings:
        text = "found no PackageManifest: name a package.yaml, or a file that holds one"
        if not files.is_about_packages and not any(map(os.path.isdir, options.files)):
            raise InputError(text)
        files.report.warning("manifest", None, text)
    return report.linted(findings.in_order(files.all_findings()), options.format, strict=options.strict)


def schema(options: Namespace) -> int:
    """Print the JSON Schema of `spec.values` for the manifest in a file."""
    print(json_text(json.dumps(of_values(manifest_in(options.manifest, limits=options.limits)), indent=2, ensure_ascii=False)))
    return 0


def manifest_in(path: str, name: str = "", limits: Limits = DEFAULT) -> Manifest:
    """Return the one manifest of a file. InputError if there is another number of them, or one that has errors or another name."""
    if os.path.isdir(path):
        raise InputError("is a directory: name the file of one PackageManifest", file=path)
    file, content = _named(path, limits)
    first, *others = manifests_of(file, content)
    if others:
        raise InputError(f"must hold one PackageManifest, found {1 + len(others)}", file=file)
    manifest = checked(first)
    if name and manifest.name != name:
        raise InputError(f'is the manifest of "{manifest.name}", and the Package is of "{name}"', file=file)
    return manifest


def manifests_of(name: str, content: bytes) -> Iterator[FoundManifest]:
    """Yield the manifests of one file. Raises InputError if it cannot be read, or holds none."""
    files = Files()
    files.add(name, content, is_package=True)
    for finding in files.report.findings:
        if finding.severity == "error":
            raise InputError(findings.message(finding))
    if not files.manifests:
        raise InputError("does not contain a PackageManifest", file=name)
    yield from files.manifests


def checked(found: FoundManifest) -> Manifest:
    """Return a manifest without errors. InputError with the first error of another."""
    manifest, faults = read_manifest(found.data)
    if manifest is None:
        fault = next(fault for fault in faults if fault.severity == "error")
        raise InputError(f"{findings.message(found.finding(fault))}; for all findings run `krm-values lint`")
    return manifest


def inputs(paths: Iterable[str], options: Namespace, *, follow_links: bool = False) -> Iterator[tuple[str, bytes, bool]]:
    """Yield (path as named by the user, content, whether it may be a package.yaml), for directories of the files that a run reads."""
    for given in paths:
        if not os.path.isdir(given):
            yield (*_named(given, options.limits), True)
            continue
        for path, content in options.files_below(File(given), follow_links=follow_links, limits=options.limits):
            yield str(path), content, path.name in _PACKAGE


def _named(name: str, limits: Limits) -> tuple[str, bytes]:
    return name, sys.stdin.buffer.read() if name == "-" else read_named(name, limits)


@record
class FoundManifest:
    """A manifest in a file, and its path in its item."""

    item: Item
    path: Path
    data: JSON

    def finding(self, fault: Fault) -> Finding:
        """Return a fault as a finding with its address."""
        about = f'"{fault.definition}": ' if fault.definition else ""
        path = (*self.path, *fault.path)
        return Finding(fault.severity, fault.kind, fault.rule, about + fault.text, self.item, path, fault.found)


class Files:
    """The content of files: manifests, plain resources by file, and findings on what cannot be read."""

    __slots__ = ("_configs", "_folders", "_siblings", "is_about_packages", "manifests", "report")

    def __init__(self) -> None:
        self.manifests: list[FoundManifest] = []
        self.report = Report()
        self._siblings: dict[str, list[Sibling]] = {}
        self._folders: set[str] = set()
        self._configs: dict[str, list[JSON]] = {}
        self.is_about_packages = False

    def add(self, name: str, content: bytes, *, is_package: bool) -> None:
        """Read a file. is_package: whether a document without apiVersion and kind is a manifest."""
        try:
            source = documents.read(content, name, unfold=True)
            frames = documents.read(content, name).items if _LIST.encode() in content else ()
        except InputError as error:
            self.report.add(_refused(name, 1, error))
            return
        for frame in frames:
            if frame.kind == _LIST:
                self._config(frame, ("functionConfig",))
        for item in source.items:
            text = source.text(item.number)
            if item.kind or item.api_version:
                self._object(item)
            elif is_package and not is_blank(text):
                self._folders.add(posixpath.dirname(name))
                self._package(name, item, text)

    def all_findings(self) -> tuple[Finding, ...]:
        """Return all findings. Targets are matched with the resources of the manifest's own package."""
        siblings: dict[str | None, list[Sibling]] = {}
        for file, resources in self._siblings.items():
            siblings.setdefault(self._package_of(file), []).extend(resources)
        return (*self.report.findings, *(finding for found in self.manifests for finding in self._faults(found, siblings)))

    def _faults(self, found: FoundManifest, siblings: dict[str | None, list[Sibling]]) -> Iterator[Finding]:
        package = self._package_of(found.item.position.file)
        own = [*siblings.get(package, ()), *(siblings.get(None, ()) if package is not None else ())]
        specs = self._specs_for(found.item.position.file)
        charts_get_strings = not specs or any(get(spec, ("typed",)) is False for spec in specs)
        faults = linting.check_all(found.data, own or None, charts_get_strings=charts_get_strings)
        yield from map(found.finding, faults)

    def _specs_for(self, file: str) -> list[JSON]:
        """Return the specs of the functionConfigs in the nearest folder above a file that has any, else all of them."""
        nearest = next((folder for folder in _folders_above(file) if folder in self._configs), None)
        return [spec for specs in self._configs.values() for spec in specs] if nearest is None else self._configs[nearest]

    def _package_of(self, file: str) -> str | None:
        """Return the nearest folder above a file that holds a package.yaml; None if there is none, or only one package is checked."""
        if len(self._folders) < 2:
            return None
        return next((folder for folder in _folders_above(file) if folder in self._folders), None)

    def _package(self, name: str, item: Item, text: str) -> None:
        """Read a document of a package.yaml."""
        line = item.position.line
        try:
            read = read_go_yaml(text, floats=False)
        except InputError as error:
            self.report.add(_refused(name, line, error))
            return
        made = _item(name, line, Reading(read.data, {}, _nothing, _places(read)), _name(read.data))
        if isinstance(read.data, dict | None):
            self.manifests.append(FoundManifest(made, (), read.data))
        else:  # the value is not shown: it may be the content of a Secret
            self.report.error("manifest", "5", f"must be a map; found {type_of(read.data)}", made)

    def _object(self, item: Item) -> None:
        kind = (item.group, item.kind)
        self.is_about_packages = self.is_about_packages or item.group == packages.GROUP or kind == _CONFIG
        if kind not in (_INFO, _WRAPPER, _CONFIG):
            self._siblings.setdefault(item.position.file, []).extend(linting.siblings_of([item]))
            self.report.extend([resolve.unread_warning(item, item.error)] if item.error else [])
        elif item.error:
            self.report.add(_unreadable(item, item.error.message))
        elif kind == _CONFIG:
            self._config(item, ())
        else:
            self._wrapped(item, ("status", "manifest") if kind == _INFO else ("spec", "manifest"))

    def _wrapped(self, item: Item, path: Path) -> None:
        """Read the manifest of an object; a PackageInfo may not have one yet."""
        is_wrapper = item.kind == packages.WRAPPER
        data: JSON = get(item.data, path)
        if data is not None or is_wrapper:
            self.manifests.append(FoundManifest(item, path, data))
        self.report.extend(packages.holder_warnings(item))

    def _config(self, item: Item, within: Path) -> None:
        """Read the manifests of a functionConfig. within: its path in the item, (): the item is it; a ResourceList may hold one of another kind."""
        if get(item.data, (*within, "kind")) != _CONFIG[1]:
            return
        path = (*within, "spec", "manifests")
        listed: JSON = get(item.data, path)
        spec: JSON = get(item.data, (*within, "spec"))
        self._configs.setdefault(posixpath.dirname(item.position.file), []).append(spec)
        if listed is not None and not isinstance(listed, list):
            fault = Fault("error", "manifest", "1", (), "must be a list; found {found}", listed)
            self.report.add(FoundManifest(item, path, listed).finding(fault))
            return
        self.manifests += (FoundManifest(item, (*path, index), entry) for index, entry in enumerate(listed or ()))


def _folders_above(file: str) -> Iterator[str]:
    """Yield the folder of a file, then those above it."""
    folder = posixpath.dirname(file)
    yield folder
    while folder not in ("", "/"):
        folder = posixpath.dirname(folder)
        yield folder


def _item(name: str, line: int, reading: Reading, label: str = "") -> Item:
    """Return a package.yaml as an item, so that findings have an address."""
    return Item(0, Header("", "manifest", "", label), lambda: reading, Position("", name, 0, line))


def _unreadable(item: Item, message: str) -> Finding:
    return Finding("error", "manifest", "5", f"cannot be read: {message}", item)


def _refused(name: str, line: int, error: InputError) -> Finding:
    """Return the error of a file, or of its document that begins on a line, that cannot be read."""

    def place(_: Path) -> tuple[int, int]:
        return max(error.line, 1) - 1, max(error.column, 1) - 1

    return _unreadable(_item(name, line, Reading(None, {}, _nothing, place)), error.message)


def _places(read: GoText) -> Callable[[Path], tuple[int, int] | None]:
    """Return a function from path to (line, column), counted from 0; None for what is not written."""

    def place(path: Path) -> tuple[int, int] | None:
        found = read.place(path)
        return (found[0] - 1, found[1] - 1) if found else None

    return place


def _name(data: JSON) -> str:
    name = data.get("name") if isinstance(data, dict) else None
    return "" if name is None or isinstance(name, (dict, list)) else as_string(name)


def _nothing(_: Path) -> None:
    """Return neither a scalar nor a place."""
