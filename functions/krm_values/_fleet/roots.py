"""The packages of a fleet: found below its roots as `render --recursive` finds them, narrowed by `.krm-fleet.yaml` and by patterns."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, InputsError, UsageError
from krm_values._data.limits import DEFAULT
from krm_values._data.record import record
from krm_values._data.shown import printable
from krm_values._go.regexp import PatternError, compiled
from krm_values._krm import config as configs
from krm_values._krm import documents, findings, packages
from krm_values._krm.config import ConfigError, ConfigPlace, Form, Mistake
from krm_values._krm.files import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from krm_values._data.limits import Limits

CONFIG = ".krm-fleet.yaml"


@record
class Member:
    """A package of a fleet. name: its path from the root, with several roots behind the root as that was named; it identifies the package."""

    name: str
    directory: str


@record
class Fleet:
    """The packages, sorted by name. timeout: seconds for each, 0 for any. rows, columns: the parts of names, from 1, that span the matrix.

    name_of: returns the name that a directory has as a package, from its real path; "" if it would not belong to the fleet.
    """

    members: tuple[Member, ...]
    timeout: int = 0
    rows: int = 1
    columns: int = 2
    name_of: Callable[[str], str] = str


def find(roots: Sequence[str], select: Sequence[str] = (), limits: Limits = DEFAULT) -> Fleet:
    """Find the packages of all roots. select: patterns, one of which a name must match. UsageError for roots in each other."""
    _refuse_nested(roots)
    known = [_Root(root, limits, alone=len(roots) == 1) for root in roots]
    found = sorted((member for root in known for member in root.members()), key=lambda member: member.name)
    is_selected = matcher(select, "--select") if select else lambda _: True
    members = tuple(member for member in found if is_selected(member.name))
    if select and not members:
        raise UsageError(f"`--select`: no package below {', '.join(map(printable, roots))} matches {' or '.join(select)}")

    def name_of(directory: str) -> str:
        return next((name for root in known if (name := root.name_of(directory)) and is_selected(name)), "")

    matrix = known[0].settings.matrix
    rows, columns = (matrix.rows, matrix.columns) if matrix else (1, 2)
    return Fleet(members, max(root.settings.timeout for root in known), rows, columns, name_of)


class _Root:
    """A directory with packages, and what its file says. alone: whether it is the only one, so that names do not begin with it."""

    def __init__(self, path: str, limits: Limits, *, alone: bool) -> None:
        self._path, self._alone, self.settings = path, alone, _settings(Path(path), limits)
        self._is_excluded = matcher(self.settings.exclude, CONFIG)

    def members(self) -> Iterator[Member]:
        """Yield the packages that its file does not exclude."""
        for below in self.settings.roots or [""]:
            for found in packages.outermost(Path(self._path, below)):
                if name := self._shown(os.path.relpath(found, self._path)):
                    yield Member(name, str(found))

    def name_of(self, directory: str) -> str:
        """Return the name that a directory has as a package, from its real path; "" if it would not be one of this root."""
        real = os.path.realpath(self._path)
        tops = (os.path.normpath(os.path.join(real, below)) for below in self.settings.roots or [""])
        is_here = any(directory == top or is_below(directory, top) for top in tops)
        return self._shown(os.path.relpath(directory, real)) if is_here else ""

    def _shown(self, name: str) -> str:
        """Return the name of a package by its path from here, "" for one that is excluded."""
        if self._is_excluded(name):
            return ""
        return name if self._alone else os.path.normpath(os.path.join(self._path, name))


def _refuse_nested(roots: Sequence[str]) -> None:
    """Raise UsageError if a package would belong to two roots."""
    seen: dict[str, str] = {}
    for root in roots:
        packages.check_directory(Path(root), runs=False)
        here = os.path.realpath(root)
        for other, named in seen.items():
            if here == other:
                raise UsageError(f"{printable(root)}: is the same directory as {printable(named)}: name it once")
            if is_below(here, other) or is_below(other, here):
                inner, outer = (root, named) if is_below(here, other) else (named, root)
                raise UsageError(f"{printable(inner)}: is in {printable(outer)}, which is a root as well: name one of them")
        seen[here] = root


def is_below(path: str, directory: str) -> bool:
    """Return whether a path is below a directory."""
    return path.startswith(os.path.join(directory, ""))


def matcher(patterns: Sequence[str], where: str) -> Callable[[str], bool]:
    """Return whether a name, or a directory above it, matches one of these: `*` and `?` within a part, `**` for any parts."""
    try:
        found = [compiled(f"^{_expression(pattern.strip('/'))}(?:/.*)?$") for pattern in patterns]
    except PatternError as error:
        raise UsageError(f"`{where}`: {error.message}") from None
    return lambda name: any(one.search(name.encode("utf-8", "replace").decode()) for one in found)


def _expression(pattern: str) -> str:
    """Return a pattern of names as a regular expression of RE2, which takes time linear in the name."""
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    written, at = [], 0
    while at < len(pattern):
        sign = next((sign for sign in known if pattern.startswith(sign, at)), "")
        character = pattern[at]
        plain = character if character.isalnum() or character in "_/" else f"\\{character}"
        written.append(known[sign] if sign else plain)
        at += len(sign) or 1
    return "".join(written)


# `.krm-fleet.yaml`, with the errors of a functionConfig.


class _Unset:
    """The settings where there is no file, as `FleetSettings` has them."""

    roots, exclude, timeout, matrix = (), (), 0, None


def _settings(root: Path, limits: Limits) -> Any:
    """Return what the file of a root says, or the defaults. InputsError with the place of every mistake."""
    if not os.path.lexists(root / CONFIG):
        return _Unset
    from krm_values._fleet.settings import FleetSettings  # noqa: PLC0415 - pydantic is slow to import

    shown = os.path.normpath(root / CONFIG)
    with Reader(root, limits) as reader:
        content = reader.read(CONFIG)
    items = documents.read(content, shown, limits=limits).items
    if len(items) != 1:
        line = items[1].position.line if items else 1
        raise InputError(f"must hold one `kind: Fleet`, found {len(items)} documents", line, 1, shown)
    if items[0].error:
        raise items[0].error
    try:
        found = configs.read(_form(FleetSettings), "fleet", items[0].data)
        _check_roots(root, found)
    except ConfigError as error:
        place = ConfigPlace(items[0])
        raise InputsError(findings.message(place.mistake(mistake)) for mistake in error.mistakes) from None
    return found


def _form(model: Any) -> Form:
    from krm_values._krm.model import schema  # noqa: PLC0415 - pydantic is slow to import

    return Form(schema(model), lambda: model)


def _check_roots(root: Path, settings: Any) -> None:
    """Raise ConfigError for roots that are not directories below, lead elsewhere, or lie in each other."""
    mistakes: list[Mistake] = []
    seen: list[str] = []
    for number, below in enumerate(settings.roots):
        normal = os.path.normpath(below)
        real = os.path.realpath(root / below)
        if normal.startswith(("/", "..")) or real != os.path.normpath(os.path.join(os.path.realpath(root), below)):
            text = "must be a directory below this one, and no link"
        elif not os.path.isdir(real):
            text = "must be a directory, and there is none of this name"
        elif near := next((other for other in seen if real == other or is_below(real, other) or is_below(other, real)), ""):
            text = f"must not be the same as another root or within one: see `{os.path.relpath(near, os.path.realpath(root))}`"
        else:
            seen.append(real)
            continue
        mistakes.append(Mistake(text, ("spec", "roots", number)))
    if mistakes:
        raise ConfigError(*mistakes)
