"""What `krm-values lint glasskube-values` and `krm-values schema glasskube-values --manifest` print."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._data.printable import json_text, lines
from krm_values._kit.planner import findings
from krm_values._kit.process import formats
from krm_values._kit.process.below import read_named
from krm_values.glasskube_values import manifest
from krm_values.glasskube_values.files import Files, manifests_of
from krm_values.glasskube_values.schema import of_values

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator

    from krm_values._data.limits import Limits
    from krm_values.glasskube_values.files import Found
    from krm_values.glasskube_values.manifest import Manifest

_PACKAGE = ("package.yaml", "package.yml")


def lint(options: Namespace) -> int:
    """Print the findings on the manifests in files and directories, one per line; return 1 on an error, with `--strict` on any finding."""
    files = Files()
    for name, content, is_package in inputs(options.files, options, follow_links=options.follow_links):
        files.add(name, content, is_package=is_package)
    if not files.manifests and not files.report.findings:
        text = "found no PackageManifest: name a package.yaml, or a file that holds one"
        if not files.is_about_packages and not any(map(os.path.isdir, options.files)):
            raise InputError(text)
        files.report.warning("manifest", None, text)
    found = findings.in_order(files.check())
    if options.format == formats.TEXT:
        for finding in found:
            print(f"{findings.line(finding)} [{finding.tags.get('lint', finding.kind)}]")
    else:
        print(*map(lines, formats.lines(found, options.format)), sep="\n")
    return int(any(options.strict or finding.severity == "error" for finding in found))


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
    read = checked(first)
    if name and read.name != name:
        raise InputError(f'is the manifest of "{read.name}", and the Package is of "{name}"', file=file)
    return read


def checked(found: Found) -> Manifest:
    """Return a manifest without errors. InputError with the first error of another."""
    read, faults = manifest.read(found.data)
    if read is None:
        fault = next(fault for fault in faults if fault.severity == "error")
        raise InputError(f"{findings.message(found.finding(fault))}; for all findings run `krm-values lint`")
    return read


def inputs(names: Iterable[str], options: Namespace, *, follow_links: bool = False) -> Iterator[tuple[str, bytes, bool]]:
    """Yield (path as named by the user, content, whether it may be a package.yaml), for directories of the files that a run reads."""
    for name in names:
        if not os.path.isdir(name):
            yield (*_named(name, options.limits), True)
            continue
        for path, content in options.files_below(Path(name), follow_links=follow_links, limits=options.limits):
            yield str(path), content, path.name in _PACKAGE


def _named(name: str, limits: Limits) -> tuple[str, bytes]:
    return name, sys.stdin.buffer.read() if name == "-" else read_named(name, limits)
