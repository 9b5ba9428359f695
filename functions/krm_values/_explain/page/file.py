"""The page is one file: skeleton, style and script beside this module, and its data.

It is written atomically, never through a link, and over no file except an earlier page. `string.Template` suffices, since the script creates
all elements; importing Jinja2 takes 40 ms, this 1 ms.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError
from krm_values._data.record import record
from krm_values._krm.packages import is_read
from krm_values._krm.write import put_file, refuse_link_out
from krm_values._run.terminal import say

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

HERE = Path(__file__).parent


@record
class Form:
    """The files that a page is made of. scripts: one function together, so that a later one uses the earlier ones."""

    skeleton: Path
    styles: tuple[Path, ...]
    scripts: tuple[Path, ...]


_NAMES = ("elements.js", "data.js", "find.js", "matrix.js", "way.js", "side.js", "use.js")
EXPLAIN = Form(HERE / "page.html", (HERE / "page.css",), tuple(HERE / name for name in _NAMES))
_ESCAPED = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
"""Characters with a meaning in HTML or JavaScript, as JSON escapes them."""
FIRST_LINE = "<!doctype html><!-- a page of krm-values -->"
"""The first line of each page, by which a page is recognized and may be overwritten."""


def check(name: str, packages: Iterable[Path]) -> None:
    """Raise InputError or UsageError for a file that cannot be written, before anything runs. packages: the directories that are read."""
    if name == "-":
        raise UsageError("`--html` writes a file; name one, as `--html page.html`")
    path = Path(name)
    if not path.parent.is_dir():
        raise InputError(f"there is no directory {path.parent}: create it, or name another file", file=name)
    _refuse_other(path)
    for package in packages:
        refuse_link_out(package, path)
        if not _is_inside(path, package):
            continue
        if is_read(path.name):
            raise InputError(f"is a name of files that the package {package} reads: call the page NAME.html", file=name)
        say(f"warning: {name}: the page lies in the package {package}, and is handed on with it")


def write(name: str, data: dict[str, Any], *, secret: bool, form: Form = EXPLAIN) -> None:
    """Write the page. secret: it shows values of Secrets, so only its owner may read it."""
    path = Path(name)
    _refuse_other(path)
    put_file(path, page(data, form), secret=secret)


def _refuse_other(path: Path) -> None:
    """Raise InputError if the file exists and is not an earlier page."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise InputError("must not be a symbolic link: name the file itself, or another one", file=str(path))
    if not stat.S_ISREG(mode):
        raise InputError("must be a file, found a directory or a device", file=str(path))
    first = FIRST_LINE.encode()
    with path.open("rb") as file:
        if file.read(len(first)) != first:
            raise InputError("exists and is not a page of krm-values: remove it, or name another file", file=str(path))


def _is_inside(path: Path, package: Path) -> bool:
    return os.path.realpath(path).startswith(os.path.join(os.path.realpath(package), ""))


def is_page(name: str) -> bool:
    """Return whether a file is a page that an earlier run wrote."""
    try:
        _refuse_other(Path(name))
    except (InputError, OSError):
        return False
    return os.path.lexists(name)


def page(data: dict[str, Any], form: Form = EXPLAIN) -> bytes:
    """Return the page. Its content security policy allows its own style and script, by hash, and nothing else."""
    style, parts = "".join(map(_template, form.styles)), "".join(map(_template, form.scripts))
    script = f"'use strict';\n(() => {{\n{parts}}})();\n"
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    )
    whole = Template(_template(form.skeleton)).substitute(
        first=FIRST_LINE, policy=policy, style=style, script=script, data=embedded(data)
    )
    return whole.encode()


def embedded(data: dict[str, Any]) -> str:
    """Return the data as JSON that cannot close the element that contains it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)


def _template(path: Path) -> str:
    return path.read_text("utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
