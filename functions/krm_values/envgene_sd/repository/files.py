"""The files of an instance repository that commands read and write. Paths are slash paths below its root.

    environments/CLUSTER/ENV/Inventory/solution-descriptor/{sd,delta_sd}.yaml
    environments/CLUSTER/ENV/Namespaces/FOLDER/namespace.yml
    environments/CLUSTER/ENV/{AppDefs,RegDefs}/NAME.yml      {appdefs,regdefs}/NAME.yml for every environment
    configuration/credentials/credentials.yml

Each may end in `.yaml` or `.yml`.
"""

from __future__ import annotations

import errno
import os
import re
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError, RepeatedKeyError, UserError, address
from krm_values._data.limits import DEFAULT
from krm_values._data.record import record
from krm_values._data.shown import described
from krm_values._krm import findings as results
from krm_values._krm import reader
from krm_values._krm.files import reading
from krm_values._krm.plan import Finding
from krm_values._yaml import decode
from krm_values._yaml.encoding import by_lines, check_utf8, is_blank
from krm_values.envgene_sd.environments import is_environment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from krm_values._data.values import JSON

DESCRIPTOR, ENVIRONMENT, NAMESPACE = "70", "16", "77"
"""The rules of files of SDs, names of environments and files of Namespaces."""
FULL, DELTA = "sd", "delta_sd"  # the names of the two files, without their ending
ENDINGS = (".yaml", ".yml")
MOST = DEFAULT.file_bytes
_SEGMENT = re.compile(r"(?!\.{1,2}\Z)[^/\x00-\x1f\x7f-\x9f]+")


class FaultsError(UserError):
    """Error findings that end a command, all of them at once."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\nerror: ".join(self.lines))

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(map(results.message, self.findings))


def fault(rule: str, message: str, kind: str = "repository") -> FaultsError:
    """Return the exception for a single error."""
    return FaultsError((Finding("error", kind, rule, message),))


@record
class Content:
    """A YAML file of the repository: its path, its bytes and its data. shown: its name in messages, if not its path."""

    path: str
    raw: bytes
    data: JSON
    shown: str = ""

    def at(self, *path: str) -> str:
        """Return the place of a field, or of its nearest existing parent, as messages begin with it."""
        file, text = self.shown or self.path, self.raw.decode("utf-8-sig")
        if is_blank(text):
            return file
        found = reader.read(text)
        sizes = range(len(path), -1, -1)
        line, column = next(place for size in sizes if (place := found.place(path[:size])) is not None)
        return address(file, line + 1, column + 1)


def read(root: Path, path: str, rule: str, *, follow: bool = False, secret: bool = False) -> Content:
    """Read a file with one YAML document; its data is None if the file is empty. FaultsError of the rule for anything else.

    secret: whether the file has credentials; messages then name no key, since it may be a value that looks like a map.
    """
    found = raw(root, path, rule, follow=follow)
    try:
        check_utf8(found)
        text = found.decode("utf-8-sig")
        data = None if is_blank(text) else decode.to_data(decode.parse(text))
    except InputError as error:
        reason = error.unnamed() if secret and isinstance(error, RepeatedKeyError) else error
        reason = by_lines(found.decode(errors="replace"), reason)
        placed = InputError(reason.message, reason.line, reason.column, reason.file or path)
        raise fault(rule, str(placed), "unreadable") from None
    return Content(path, found, data)


def raw(root: Path, path: str, rule: str, *, follow: bool = False) -> bytes:
    """Return the bytes of a file. FaultsError of the rule if it is not a file or, unless `follow`, is behind a link out of the repository."""
    try:
        with reading(root) as below:
            return below.read(path, MOST, follow=follow)
    except InputError as error:
        raise fault(rule, str(error)) from None


def present(root: Path, below: str, name: str) -> list[str]:
    """Return the existing paths of a file that may end in .yaml or .yml, whatever they are: reading refuses all but a file."""
    return [path for path in (f"{below}/{name}{ending}" for ending in ENDINGS) if is_there(root, path)]


def is_there(root: Path, path: str) -> bool:
    """Return whether anything has this path: a file, a directory, a pipe, a broken link."""
    return os.path.lexists(root / path)


def is_segment(text: str) -> bool:
    """Return whether a string can be one part of a path: no slash, no control character, neither `.` nor `..`."""
    return _SEGMENT.fullmatch(text) is not None and ".." not in text


def environments(root: Path) -> list[str]:
    """Return every CLUSTER/ENV that has an SD or a Namespace, or is a broken link, sorted. FaultsError for a broken link above them."""
    for path in (root / "environments", *root.glob("environments/*")):
        if fact := _broken_link(path):
            raise fault(ENVIRONMENT, f"{path.relative_to(root)}: {fact}")
    places = (path for path in root.glob("environments/*/*") if path.is_dir() or _broken_link(path))
    found = (f"{path.parent.name}/{path.name}" for path in places)
    return sorted(name for name in found if is_environment(name) and _is_used(root, name))


def _is_used(root: Path, environment: str) -> bool:
    try:
        return any(descriptor(root, environment, name) for name in (FULL, DELTA)) or bool(namespaces(root, environment))
    except FaultsError:
        return True


def missing(root: Path, environment: str) -> str:
    """Return the message for an environment without a folder, with the nearest one that has a folder; "" if it has one."""
    if os.path.lexists(root / "environments" / environment):
        return ""
    known = sorted(f"{path.parent.name}/{path.name}" for path in root.glob("environments/*/*") if path.is_dir())
    hint = suggest.hint(environment, known) or f"; there are {suggest.listed(known) if known else 'none'}"
    return f"environments/{environment} does not exist, so {environment} is not an environment of the repository{hint}"


def check_environment(name: str) -> None:
    """Raise FaultsError unless the name is exactly CLUSTER/ENV."""
    if not is_environment(name):
        text = f"an environment must be named CLUSTER/ENV, two folders whose names do not begin with a dot; found {described(name)}"
        raise fault(ENVIRONMENT, text, "environment")


def folder(environment: str) -> str:
    """Return the folder of the SDs of CLUSTER/ENV."""
    return f"environments/{environment}/Inventory/solution-descriptor"


def descriptor(root: Path, environment: str, name: str) -> str:
    """Return the path of the Full SD (`sd`) or Delta SD (`delta_sd`), "" if there is none.

    FaultsError if both endings exist, or if a folder on the way is a broken link or not a directory.
    """
    below = folder(environment)
    _check_folders(root, below, DESCRIPTOR)
    found = present(root, below, name)
    if len(found) > 1:
        raise fault(DESCRIPTOR, f"{found[0]}: exists beside {found[1].rpartition('/')[2]}; remove one of them")
    return found[0] if found else ""


def namespaces(root: Path, environment: str) -> list[str]:
    """Return the paths of an environment's Namespaces, sorted by folder. FaultsError for a folder that is a broken link."""
    below = f"environments/{environment}/Namespaces"
    _check_folders(root, below, NAMESPACE)
    for path in sorted((root / below).glob("*")):
        if fact := _broken_link(path):
            raise fault(NAMESPACE, f"{below}/{path.name}: {fact}")
    folders = sorted(path.name for path in (root / below).glob("*") if path.is_dir())
    return [file for name in folders for file in present(root, f"{below}/{name}", "namespace")[:1]]


def beside(root: Path, environment: str) -> Iterator[str]:
    """Yield the paths of hidden files in each folder from the root down to an environment's SDs, except behind links."""
    names = folder(environment).split("/")
    for size in range(len(names) + 1):
        below = "/".join([*names[:size], ""])
        found = root / below
        if found.is_dir() and not found.is_symlink():
            yield from (f"{below}{path.name}" for path in sorted(found.glob(".*")) if not path.is_dir())


def _check_folders(root: Path, below: str, rule: str) -> None:
    """Raise FaultsError for the first existing path on the way down to a folder that is not a directory."""
    names = below.split("/")
    for path in ("/".join(names[:size]) for size in range(1, len(names) + 1)):
        if is_there(root, path) and not (root / path).is_dir():
            fact = _broken_link(root / path) or "must be a directory, found a file or a device"
            raise fault(rule, f"{path}: {fact}")


def _broken_link(path: Path) -> str:
    """Return what is wrong with a link whose target cannot be reached; "" for anything else."""
    try:
        path.stat()
    except OSError as error:
        if path.is_symlink():
            where = "in a circle" if error.errno == errno.ELOOP else "to something that does not exist"
            return f"is a link that leads {where}: correct it or remove it"
    return ""
