"""What packages were after the last run, so that those that are still the same are skipped: JSON lines, for the owner only."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._krm.files import read_named
from krm_values._krm.write import put_file
from krm_values._run import arguments
from krm_values._run.terminal import tell

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from krm_values._data.limits import Limits
    from krm_values._fleet.results import Results

    State: TypeAlias = dict[str, dict[str, Any]]

_KNOWN = {"package": str, "key": str, "findings": list}
_KEY_BYTES = 32


def check(options: Namespace) -> None:
    """Raise UsageError for the key of a state without the state."""
    if not options.state:
        arguments.refuse(options, "with `--state`", "--state-key")


def remembered(options: Namespace) -> tuple[State, bytes | None]:
    """Return the state and its key; without a key there is no state."""
    if options.state and options.state_key:
        return read(options.state, options.limits), _key(options.state_key, options.limits)
    if options.state:
        tell("warning: `--state` is ignored without `--state-key FILE`: only with a key, what is written there tells nothing")
    return {}, None


def _key(path: str, limits: Limits) -> bytes:
    """Return the key in a file, which is made for its owner only if there is none. InputError for one that is too short."""
    if not os.path.lexists(path):
        put_file(Path(path), os.urandom(_KEY_BYTES).hex().encode() + b"\n", secret=True)
    found = read_named(path, limits).strip()
    if len(found) < _KEY_BYTES:
        raise InputError(f"must hold a key of at least {_KEY_BYTES} characters; remove it, and a new one is made", file=path)
    return found


def read(path: str, limits: Limits) -> State:
    """Return the entry of each package, none where there is no file. InputError, with the line, for what is no state."""
    if not os.path.lexists(path):
        return {}
    found: State = {}
    for number, line in enumerate(read_named(path, limits).splitlines(), 1):
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if not isinstance(entry, dict) or any(not isinstance(entry.get(name), kind) for name, kind in _KNOWN.items()):
            text = (
                "must be JSON with `package`, `key` and `findings`, as an earlier run wrote it; remove the file to begin anew"
            )
            raise InputError(text, number, 1, path)
        found[entry["package"]] = entry
    return found


def write(path: str, before: Mapping[str, dict[str, Any]], results: Results, *, whole: bool) -> None:
    """Write the entry of each package that may be skipped from now on. whole: whether other packages are known not to belong to the fleet."""
    members = {member.name for member in results.members}
    new = {name: entry for name, entry in before.items() if not whole or name in members}
    for member, answer in results:
        if "key" in answer and answer["status"] in ("changed", "same", "skipped"):
            findings = answer.get("findings", [])
            new[member.name] = {"package": member.name, "key": answer["key"], "findings": findings}
        else:
            new.pop(member.name, None)
    lines = (json.dumps(new[name], sort_keys=True).encode() + b"\n" for name in sorted(new))
    put_file(Path(path), lines, secret=True)
