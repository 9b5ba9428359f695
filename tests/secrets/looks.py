"""Every command that says where values come from, in each of its forms, on one package."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.secrets.commands import krm
from tests.secrets.trees import rewrite

_LAYER = re.compile(r"^kind: (?:ConfigMap|Secret)$", re.MULTILINE)
_FEW = 2


def looks(package: Path) -> Iterator[tuple[str, int, bytes, bytes]]:
    """What each command is called, its exit code, and what it prints on stdout or writes, and on stderr."""
    page = package.parent / "page.html"
    other = package.parent / "other"
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(package, other)
    rewrite(other, _with_others)
    for words in _words(package, other, page):
        page.unlink(missing_ok=True)
        done = krm(*words)
        written = page.read_bytes() if page.exists() else b""
        name = " ".join(map(str, words)).replace(str(package.parent), "..")
        shown = done.stdout.replace(str(package.parent).encode(), b"..")
        yield name, done.code, shown + written, done.stderr
    page.unlink(missing_ok=True)
    shutil.rmtree(other)


def showing(package: Path, mark: str) -> list[str]:
    """The commands that show a text: those, and `explain` of all values."""
    forms: list[list[str]] = [[], ["--json"], ["--all"], ["--patch"]]
    said = [(" ".join(["explain", *words]), krm("explain", package, *words)) for words in forms]
    shown = [(name, done.stdout + done.stderr) for name, done in said]
    shown += [(name, out + errors) for name, _, out, errors in looks(package)]
    return [name for name, text in shown if mark.encode() in text]


def _with_others(secret: dict[str, Any]) -> dict[str, Any]:
    held = secret.get("stringData")
    return secret | {"stringData": dict.fromkeys(held if isinstance(held, dict) else (), "other: 1")}


def _words(package: Path, other: Path, page: Path) -> Iterator[list[object]]:
    yield from (
        ["explain", package, *more]
        for more in (["**.pw", "--json"], ["--contested"], ["--where"], ["--layers"], ["--html", page])
    )
    yield from (["values", package, *more] for more in ([], ["--comments"]))
    yield from (["compare", package, other, *more] for more in ([], ["--json"], ["--markdown"], ["--html", page]))
    written = [path for path in sorted(package.rglob("*.yaml")) if _LAYER.search(path.read_text())]
    for path in written[:_FEW]:
        lines = path.read_text().split("\n")
        yield ["impact", path, package]
        for number in [number for number, line in enumerate(lines, 1) if re.match(r" +[-\w.]+: \S", line)][-_FEW:]:
            yield ["why", f"{path}:{number}"]
            yield from (["impact", f"{path}:{number}{value}", package] for value in ("", "=other"))
