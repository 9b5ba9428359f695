"""The editor: a text, and behind a NUL byte what its edits are drawn from."""

from __future__ import annotations

from random import Random

from tests.fuzz import corpus, cut
from tests.fuzz.documents import document, json_document
from tests.fuzz.edits import judged, readable
from tests.fuzz.target import Target, parts, require
from tests.kit.manifests import MANIFESTS


def seeds() -> list[bytes]:
    random = Random(1)
    texts = [
        *(entry[1] for entry in MANIFESTS),
        *(document(random) for _ in range(300)),
        *(json_document(random) for _ in range(50)),
    ]
    return [
        text + b"\0" + bytes([number % 256])
        for number, text in enumerate([*(text.encode() for text in texts), *corpus.items()])
    ]


def check(data: bytes) -> str:
    """Edited data reads as meant, nothing else of the text changes, and an edit that changes nothing changes no byte."""
    given, dice = parts(data, 2)
    try:
        text = given.decode()
    except UnicodeError:
        return "no text"
    is_json = text.lstrip()[:1] in ("{", "[")
    if not readable(text, is_json=is_json):
        return "unreadable"
    problem = judged(Random(dice), text, is_json=is_json)
    require(problem in ("", "refused"), f"an edit is not as meant:\n{problem}")
    return problem or "edited"


TARGET = Target("editor", seeds, check, cut.TOKENS, is_yaml=True)
