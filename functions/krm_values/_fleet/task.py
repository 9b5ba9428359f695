"""The plan of one package as a worker makes it: plain JSON, from which the coordinator commits. A worker writes nothing."""

from __future__ import annotations

import base64
import os
import posixpath
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import UserError
from krm_values._data.limits import Limits, as_data
from krm_values._data.record import record
from krm_values._fleet import git_index, inputs
from krm_values._fleet.worker import failure
from krm_values._krm import findings as results
from krm_values._krm import packages
from krm_values._krm.write import Change
from krm_values._run import library, registry, tools
from krm_values._run.foreign import Allowed
from krm_values._run.pipeline import kpt_package
from krm_values._run.planned import Manner, planned

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values._fleet.inputs import Files
    from krm_values._krm.packages import Package
    from krm_values._run.pipeline import Rendered

REPORTED = ("error", "warning")


@record
class Settings:
    """What all plans of a run have in common. facts: what answers depend on beside the files. key: of the state, None without one."""

    manner: Manner = Manner()
    diff: bool = False
    facts: str = ""
    key: bytes | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as a task gets it."""
        manner, allowed = self.manner, self.manner.allowed
        return {
            "manner": [manner.skip_foreign, manner.follow_links, dict(manner.programs)],
            "allowed": [allowed.images, allowed.programs, allowed.network, allowed.pull],
            "limits": as_data(manner.limits),
            "diff": self.diff,
            "facts": self.facts,
            "key": None if self.key is None else self.key.hex(),
        }

    @staticmethod
    def of_json(data: dict[str, Any]) -> Settings:
        """Return what `as_json` was made of."""
        skip_foreign, follow_links, programs = data["manner"]
        manner = Manner(skip_foreign, follow_links, programs, Allowed(*data["allowed"]), Limits(**data["limits"]))
        return Settings(manner, data["diff"], data["facts"], None if data["key"] is None else bytes.fromhex(data["key"]))


def plan(name: str, directory: str, known: str | None, data: dict[str, Any]) -> dict[str, Any]:
    """Plan a package, or tell that it is as it was. known: its key in the state. data: the settings. UserError if it cannot be read."""
    settings = Settings.of_json(data)
    manner = settings.manner
    if (skipped := as_it_was(name, directory, known, settings)) is not None:
        return skipped
    found = read(directory, manner, inputs.files(directory))
    answer = found.answer if found.root is None else answer_of(name, found.root, settings)
    return complete(answer, name, found, settings)


@record
class Read:
    """A package as it was read; root: None if it cannot be planned, which `answer` says. listing, stamp: of its files, as `inputs` has them.

    staged: whether there are files that a writer has left.
    """

    root: Package | None
    answer: dict[str, Any]
    listing: dict[str, str]
    stamp: str
    staged: bool = False


_STALE = Read(None, {"status": "stale"}, {}, "")


def read(directory: str, manner: Manner, files: Files) -> Read:
    """Read a package of these files, each of them once."""
    try:
        return _read(directory, manner, files)
    except FileNotFoundError:
        return _STALE


def _read(directory: str, manner: Manner, files: Files) -> Read:
    stamp, limits, root, answer = inputs.stamp(files), manner.limits, None, {}
    plain = {path: status for path, status in files if stat.S_ISREG(status.st_mode) and packages.holds_resources(path)}
    # before the package is read, so that it is known what `.krmignore` said and a link led to
    listing = inputs.listing(directory, limits, found=[one for one in files if one[0] not in plain])
    try:
        root = packages.read(kpt_package(Path(directory)), follow_links=manner.follow_links, limits=limits)
    except UserError as error:
        answer = failure("failed", *error.lines)
    for package in root.walk() if root else ():
        for file in package.files:
            path, name = posixpath.join(package.path, file.path), inputs.blob(file.content)
            if path in plain:
                listing[path] = inputs.entry(plain.pop(path), name)
            elif not listing.get(path, "").endswith(name):
                return _STALE
    listing |= inputs.listing(directory, limits, found=[*plain.items()])
    return Read(root, answer, listing, stamp, root is not None and bool(root.staged()))


def answer_of(name: str, root: Package, settings: Settings) -> dict[str, Any]:
    """Plan a package that was read, and return what comes of it alone."""
    manner = settings.manner
    try:
        made = planned(root, manner)
    except UserError as error:
        return failure("failed", *error.lines)
    reported = [
        finding
        for finding in library.findings_of(made, skip_foreign=manner.skip_foreign, infos=False)
        if finding.severity in REPORTED
    ]
    changes = made.changes()
    answer: dict[str, Any] = {
        "status": "failed" if made.failed else "changed" if changes else "same",
        "findings": [results.as_result(finding) for finding in reported],
        "changes": [_written(change) for change in changes],
        "lasts": _lasts(made, manner.programs, is_final=not (changes and reported)),
    }
    if settings.diff and changes:
        from krm_values._explain import diff  # noqa: PLC0415 - only where one is printed

        answer["diff"] = diff.diff(made, show_secrets=False, folder=name)
    return answer


def complete(answer: dict[str, Any], name: str, found: Read, settings: Settings) -> dict[str, Any]:
    """Return an answer with what the files of the package were, and will be."""
    new = inputs.after(found.listing, changes_of(answer))
    lasts = answer.get("lasts", False) and not (settings.manner.follow_links and _has_links(found.listing))
    facts = {"basis": inputs.digest(found.listing), "stamp": found.stamp, "after": inputs.digest(new), "lasts": lasts}
    key = {"key": key_of(name, new, settings)} if settings.key is not None and lasts else {}
    return {**answer, **facts, **key, "staged": found.staged}


def as_it_was(
    name: str, directory: str, known: str | None, settings: Settings, *, hashes: bool = True
) -> dict[str, Any] | None:
    """Return the answer about a package that is as it was at the last run, None if it is not. known: its key in the state.

    hashes: whether files may be read of which git's index does not tell what they are; without that, they are an InputError.
    """
    if settings.key is None or known is None:
        return None
    found = inputs.listing(directory, settings.manner.limits, git_index.known_below(directory), hashes=hashes)
    if key_of(name, found, settings) != known:
        return None
    basis = inputs.digest(found)
    return {"status": "skipped", "basis": basis, "after": basis, "key": known, "lasts": True}


def key_of(name: str, found: Mapping[str, str], settings: Settings) -> str:
    """Return the key in the state of a package with these files."""
    assert settings.key is not None
    return inputs.keyed(settings.key, f"{settings.facts}\0{name}", found)


def _written(change: Change) -> list[JSON]:
    new = None if change.new is None else base64.b64encode(change.new).decode()
    return [change.path, change.old, new, change.secret]


def changes_of(answer: dict[str, Any]) -> list[Change]:
    """Return the changes of an answer. ValueError if it is not one."""
    return [
        Change(path, old, None if new is None else base64.b64decode(new, validate=True), secret)
        for path, old, new, secret in answer.get("changes", ())
    ]


def _has_links(found: dict[str, str]) -> bool:
    return any(value.startswith(inputs.LINK) for value in found.values())


def _lasts(made: Rendered, programs: Mapping[str, str], *, is_final: bool) -> bool:
    """Return whether a later run of the package as it is now would answer the same, so that it may be skipped.

    Not after an error, nor where more counts than the files of the package: a program, a function of others, what a link leads to.
    is_final: whether no finding names a line that has moved since.
    """
    if made.failed or not is_final:
        return False
    for entry in made.ran:
        if entry.ended is not None or entry.task.call is None:
            return False
        function = registry.load(entry.function)
        if not function.package.startswith("krm_values."):
            return False
        if any(programs.get(tool) or os.environ.get(tools.variable(tool)) for tool in function.tools):
            return False
    return True
