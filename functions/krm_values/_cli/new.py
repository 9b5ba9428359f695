"""`krm-values new`: writes the files of a function, which are the blocks of the page `own-function.md`."""

from __future__ import annotations

import keyword
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError
from krm_values._data.shown import described, printable
from krm_values._krm import names
from krm_values._krm.write import REMOVED, Change, create
from krm_values._run import registry
from krm_values._run.terminal import tell

if TYPE_CHECKING:
    from argparse import Namespace

_PAGE = "own-function.md"
_NAME = "namespace-replicas"
"""The function of the page."""
_FILE = re.compile(r"^`([\w./-]+)`\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_VALID = re.compile(r"[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*")


def run(options: Namespace) -> int:
    """Write the folder and return the exit code."""
    name, target = options.function, Path(options.directory)
    _check(name)
    if os.path.lexists(target):
        raise UsageError(f"{target}: must not exist yet; remove it, or name another directory")
    made = files(name)
    create(target, [Change(path, REMOVED, text.encode()) for path, text in made.items()])
    shown = printable(shlex.quote(str(target)))
    tell(
        f"{len(made)} files written to {shown}, a function that works; try:",
        f'  cd {shown} && export PYTHONPATH="$PWD"',
        f"  krm-values explain {name} < cases/prod/input.yaml",
    )
    return 0


def files(name: str) -> dict[str, str]:
    """Return the files of the page by path, with another name of the function."""
    page = Path(__file__).with_name(_PAGE).read_text("utf-8")
    return {_named(path, name): _named(text, name) for path, text in _FILE.findall(page)}


def _named(text: str, name: str) -> str:
    for form in (str, names.module, names.kind):
        text = text.replace(form(_NAME), form(name))
    return text


def _check(name: str) -> None:
    """Raise UsageError unless a new function can have the name."""
    if not _VALID.fullmatch(name) or keyword.iskeyword(names.module(name)):
        raise UsageError(
            f"a function's name must be words of a-z and 0-9 with hyphens, as in `{_NAME}`; found {described(name)}"
        )
    if name in registry.functions():
        raise UsageError(f"there is a function `{name}` already: choose another name")
