"""What `krm-values glasskube new` and `set` do: a Package is written by its manifest, each value checked."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError
from krm_values._kit.process.terminal import is_read, say, send
from krm_values._kit.process.write import put_file
from krm_values._yaml import emit
from krm_values.glasskube_values import entered_values as values
from krm_values.glasskube_values import package_file
from krm_values.glasskube_values.files import Files
from krm_values.glasskube_values.lint_command import checked, inputs, manifest_in

if TYPE_CHECKING:
    from argparse import Namespace

    from krm_values.glasskube_values.manifest import Manifest


def new(options: Namespace) -> int:
    """Print a Package, or write it to a new file."""
    given = values.assignments(options.files)
    if options.output and os.path.lexists(options.output):
        raise UsageError(f"{options.output}: must not exist yet; `krm-values glasskube set` changes a Package")
    version = options.package_version or values.version_of(os.path.abspath(options.manifest))
    found = manifest_in(options.manifest, limits=options.limits)
    values.check(found, given)
    asks = sys.stdin.isatty() and is_read()
    taken = values.entered(found, given, sys.stdin.readline if asks else None)
    values.complete(found, taken)
    made = values.package(found, options.name or found.name, options.namespace, version, taken)
    content = ("\n".join(emit.block(made)) + "\n").encode()
    if options.output:
        put_file(Path(options.output), content)
    else:
        send([content])
    return 0


def change(options: Namespace) -> int:
    """Set values in the file of a Package."""
    given = values.assignments(options.files)
    content, source, item = package_file.package_of(options.package, options.limits)
    name = package_file.manifest_name(item)
    values.check(
        manifest_in(options.manifest, name, options.limits) if options.manifest else _manifest_beside(options, name),
        given,
    )
    changed = package_file.store(options.package, content, package_file.edited(source, item, given))
    say(f"updated: {options.package}" if changed else "changed: nothing")
    return 0


def _manifest_beside(options: Namespace, name: str) -> Manifest:
    """Return the manifest of a name in the directory of the Package, or below it."""
    files, path = Files(), options.package
    for file, content, is_package in inputs([os.path.dirname(path) or "."], options):
        files.add(file, content, is_package=is_package)
    found = [one for one in files.manifests if isinstance(one.data, dict) and one.data.get("name") == name]
    if len(found) != 1:
        raise InputError(f'{len(found)} manifests called "{name}" are beside it: name the file with `--manifest`', file=path)
    return checked(found[0])
