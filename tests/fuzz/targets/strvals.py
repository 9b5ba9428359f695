"""Helm's `--set` syntax as `targetPath` has it: flags, a path, a value."""

from __future__ import annotations

from typing import Any

from krm_values._krm.plan import Origin
from krm_values._run.traced import Map
from krm_values.flux_values.strvals import StrvalsError, integer, path_of, typed, write
from tests.fuzz.target import Target, parts, require

PATHS = [b"a", b"a.b", b"a[0]", b"a[0].b", b"a[1][2]", b"a\\.b.c", b"a.b[3].c", b"", b"a.", b".a", b"a[", b"a[-1]", b"a,b"]
VALUES = [
    b"x",
    b"",
    b"1",
    b"007",
    b"true",
    b"null",
    b"{a,b}",
    b"{",
    b"a,b=c",
    b"a\\,b",
    b"'q'",
    b'"q"',
    b"=",
    b"9223372036854775808",
]
TOKENS = [*(bytes([byte]) for byte in b"=[],.{}\\'\"0-+ \0\n"), *PATHS, *VALUES, b"[999]", b"[0]" * 30, b".a" * 30, b",a.b[2]="]


def seeds() -> list[bytes]:
    return [flags + b"\0" + path + b"\0" + value for flags in (b"", b"l", b"s") for path in PATHS for value in VALUES]


def check(data: bytes) -> str:
    """Values or a StrvalsError; a literal value stands as it is at the path that the syntax names."""
    flags, path, value = (part.decode(errors="replace") for part in parts(data, 3))
    literal, values = "l" in flags, Map(_layer)
    found = path_of(path)
    try:
        write(values, path, value, _layer, literal=literal, secret="s" in flags)
    except StrvalsError as error:
        require(len(value) < 20 or value in path or value not in error.message, "the message shows the value")
        return "refused"
    require(
        typed(value) == value or integer(value.strip()) is not None or value.casefold() in ("true", "false", "null"), "typed"
    )
    if literal and found and value and not set(path) & set("=,"):
        node: Any = values
        for step in found:
            node = node[step]
        require(node.value == value, "a literal value is another one")
    return "written"


def _layer(_path: object, value: object) -> Origin:
    return Origin("", value)


TARGET = Target("strvals", seeds, check, TOKENS)
