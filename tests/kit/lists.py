"""Lists as text: how tests read and write them."""

from __future__ import annotations

from pathlib import Path

from krm_values._krm import resourcelist

FIXTURES = Path(__file__).parents[1] / "fixtures" / "krm"
HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"


def read(text):
    return resourcelist.read(text.encode())


def write(text, edit=None, removed=(), added=(), results=()):
    source = read(text)
    edited = {number: change(source.text(number)) for number, change in (edit or {}).items()}
    return b"".join(source.write(edited, removed, added, results)).decode()
