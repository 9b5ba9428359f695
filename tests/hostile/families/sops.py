"""Credentials that sops has encrypted, and a package that brings its own sops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.hostile.attack import Attack
from tests.hostile.families.envgene import REPOSITORY
from tests.hostile.families.network import CREDENTIALS, DEFINITIONS, FETCH

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ENCRYPTED = "reader: {}\nsops:\n  age: [{recipient: age1x, enc: x}]\n  mac: x\n"
REGISTRY = DEFINITIONS["package/regdefs/central.yml"].replace("''", "reader").replace("PORT", "1")
FILES = {**REPOSITORY, **DEFINITIONS, "package/regdefs/central.yml": REGISTRY, CREDENTIALS: ENCRYPTED}
SCRIPT = "#!/bin/sh\n"
KEY = {"ENVGENE_AGE_PRIVATE_KEY": "AGE-SECRET-KEY-HS6DPQ9W"}
COMMAND = (*FETCH, "--allow-http")


def program(place: str, text: str) -> Callable[[Path], None]:
    """A program of the package, or one that the user has."""

    def prepare(root: Path) -> None:
        path = root / place / "sops"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SCRIPT + text)
        path.chmod(0o755)

    return prepare


def _attack(name: str, tries: str, says: str, place: str, text: str, path: str = "") -> Attack:
    environment = {**KEY, "PATH": path or f"{{root}}/{place}:/usr/bin:/bin"}
    return Attack(name, tries, COMMAND, says, 1, FILES, program(place, text), environment=environment, hides=("HS6DPQ9W",))


ATTACKS = [
    _attack("a sops in the current directory", "run by a relative PATH", "sops", ".", "touch made\n", ".:/usr/bin:/bin"),
    _attack("a sops in an empty PATH entry", "run by a relative PATH", "sops", ".", "touch made\n", ":/usr/bin:/bin"),
    _attack(
        "a sops in the package", "run by a relative PATH", "sops", "package/bin", "touch made\n", "package/bin:/usr/bin:/bin"
    ),
    _attack("a sops that prints its environment", "have the key printed", "sops", "tools", "env >&2; exit 1\n"),
    _attack("a sops that prints escapes", "write to the terminal", "sops", "tools", "printf '\\033]0;x\\007' >&2; exit 1\n"),
    _attack(
        "a sops that prints no YAML",
        "have a password printed in the error",
        "credentials.yml",
        "tools",
        "printf 'reader: *HS6DPQ9W'\n",
    ),
    _attack("a sops that prints 300 MB", "take memory", "sops", "tools", "yes HS6DPQ9W | head -c 300000000\n"),
    _attack("a sops that prints no UTF-8", "break decoding", "sops", "tools", "printf '\\377\\376'\n"),
]
