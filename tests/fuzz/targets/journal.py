"""A journal in the state directory, or one that lies in the package: with our MAC or without, of any content."""

from __future__ import annotations

import hashlib
import json
import os

from krm_values._data.errors import UserError
from krm_values._kit.process import journal, transaction
from tests.fuzz.target import Target, parts, require
from tests.fuzz.targets import folders

FILES = {"a.yaml": b"kind: A\n", "sub/b.yaml": b"kind: B\n"}
STAGED = [".krm-values-" + "0" * 32, "sub/.krm-values-" + "1" * 32]
NEW = b"kind: New\n"
TOKENS = [
    *(
        b'"',
        b",",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b"\0",
        b"null",
        b"true",
        b"1",
        b"../",
        b"/",
        b"/etc/passwd",
        b"../outside/secret.yaml",
    ),
    *(
        b"target",
        b"old",
        b"new",
        b"staged",
        b"secret",
        b"removed",
        b"directory",
        b"entries",
        b"\\u0000",
        b"\\ud83d",
        b"[" * 1000,
        b"DIR",
    ),
    *(
        b"a.yaml",
        b"sub",
        b"sub/b.yaml",
        *(name.encode() for name in STAGED),
        b".",
        b"",
        b"//",
        b"link/secret.yaml",
        b"m",
        b"M",
        b"i",
    ),
]


def seeds() -> list[bytes]:
    """flags NUL journal; DIR is the directory. M: with our MAC, i: an intent, p: it lies in the package."""
    old, new, gone = (hashlib.sha256(text).hexdigest() for text in (FILES["a.yaml"], NEW, b""))
    entries = [
        {"target": "a.yaml", "old": old, "new": new, "staged": STAGED[0], "secret": False},
        {"target": "new.yaml", "old": "removed", "new": new, "staged": STAGED[0], "secret": True},
        {"target": "a.yaml", "old": old, "new": "removed", "staged": "", "secret": False},
        {"target": "a.yaml", "old": gone, "new": new, "staged": STAGED[0], "secret": False},
        {"target": "../outside/secret.yaml", "old": old, "new": new, "staged": STAGED[0], "secret": False},
        {"target": "link/secret.yaml", "old": "removed", "new": new, "staged": "link/" + STAGED[0], "secret": False},
        {
            "target": "sub/b.yaml",
            "old": hashlib.sha256(FILES["sub/b.yaml"]).hexdigest(),
            "new": new,
            "staged": STAGED[1],
            "secret": False,
        },
    ]
    texts = [
        json.dumps({"directory": "DIR", "entries": part}).encode() for part in ([], *([entry] for entry in entries), entries)
    ]
    return [flags + b"\0" + text for flags in (b"M", b"Mi", b"", b"p", b"i") for text in texts]


def check(data: bytes) -> str:
    """Recovery ends or says why not. Without our MAC nothing changes anywhere; whatever it holds, nothing outside changes."""
    flags, text = parts(data, 2)
    case = folders.fresh()
    for name, content in {**FILES, **dict.fromkeys(STAGED, NEW)}.items():
        (case / name).parent.mkdir(exist_ok=True)
        (case / name).write_bytes(content)
    (case / "link").symlink_to(case.parent / "outside")
    body = text.replace(b"DIR", os.fsencode(os.path.realpath(case)))
    if b"p" in flags:
        (case / ".krm-values").mkdir()
        (case / ".krm-values/journal").write_bytes(body)
    else:
        _plant(case, body, journal.INTENT if b"i" in flags else journal.JOURNAL, is_ours=b"M" in flags)
    before = folders.entries(case)
    try:
        with transaction.locked(case):
            outcome = "done"
    except UserError as error:
        require(error.message, "no message")
        outcome = "refused"
    folders.nothing_outside_changed(case)
    require(b"M" in flags or folders.entries(case) == before, "a journal that is not ours was carried out")
    state = case.parent / "state" / "krm-values"
    for path in state.glob("*/*") if outcome == "refused" else ():
        path.unlink()
    return outcome


def _plant(case: object, body: bytes, name: str, *, is_ours: bool) -> None:
    with journal.State(case) as state:
        mac = state._mac(body) if is_ours else b"0" * 64
        with open(f"{state.path}/{name}", "wb") as file:
            file.write(mac + b"\n" + body)


TARGET = Target("journal", seeds, check, TOKENS)
