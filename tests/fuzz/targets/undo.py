"""Undo records: of any text and resource, and those that are made of two resources."""

from __future__ import annotations

import itertools

from krm_values._data import data_edits
from krm_values._data.errors import EditError, InputError
from krm_values._krm import revert
from krm_values._krm import undo_record as undo
from krm_values._run import stack
from krm_values._yaml import decode
from tests.fuzz import corpus
from tests.fuzz.target import Target, parts, require

KEY = "krm-values.dev/undo.glasskube-values"
TOKENS = [
    *(
        b'"op"',
        b'"add"',
        b'"remove"',
        b'"replace"',
        b'"path"',
        b'"sha"',
        b'"value"',
        b'"within"',
        b'"secret"',
        b'"blank"',
        b'"as"',
        b'"v"',
    ),
    *(
        b'"by"',
        b'"undo"',
        b"/spec",
        b"/0",
        b"/-",
        b"/-1",
        b"~0",
        b"~1",
        b"~2",
        b"/",
        b'"000000000000"',
        b'"0"',
        b"true",
        b"null",
        b"9" * 5000,
    ),
    *(b"\0", b"[", b"]", b"{", b"}", b",", b":", b"2", b"99", b'""', b"/metadata/annotations", b"/9999999999999999999"),
]


def seeds() -> list[bytes]:
    """record NUL resource, or resource NUL resource."""
    items = corpus.items()
    edges = [
        b"spec: {a: [1, 2, 3], b: {c: x}}\n",
        b"spec: {a: [1, 3], b: x}\n",
        b"data: {A: x, B: ''}\nkind: Secret\n",
        b"- a\n",
        b"x\n",
    ]
    return [
        *(item + b"\0" + other for item in edges for other in edges),
        *(item + b"\0" + other for item, other in itertools.pairwise(items)),
        *(record + b"\0" + item for record, item in _recorded()),
    ]


def _recorded() -> list[tuple[bytes, bytes]]:
    """The records that a resource of the examples or cases could have, made here."""
    items = corpus.items()[:200]
    found = []
    for before, after in itertools.pairwise(items):
        try:
            entries = undo.compute(decode.data(before.decode()), decode.data(after.decode()))
            found.append((undo.to_text(undo.Record(("ClusterPackage//a",), entries)).encode(), after))
        except (EditError, InputError, AssertionError):
            continue
    return found


def check(data: bytes) -> str:
    """A record is one or an InputError; undoing changes nothing that it is given; what is computed leads back, also as text."""
    texts = [part.decode(errors="replace") for part in parts(data, 2)]
    try:
        item = decode.data(texts[1])
    except InputError:
        return "no resource"
    before = data_edits.copy(item)
    outcome = _undone(texts[0], item)
    require(data_edits.same(item, before), "what was given to undo was changed")
    if outcome != "no record":
        return outcome
    try:
        pristine = decode.data(texts[0])
    except InputError:
        return "no record"
    return _computed(pristine, item)


def _undone(text: str, item: object) -> str:
    try:
        record = undo.from_text(text)
    except InputError as error:
        require(error.message, "no message")
        return "no record"
    done = revert.undo(record, item)
    for level in stack.taken_back([(KEY, record), ("krm-values.dev/undo.x", record)], item):
        stack.put_back(level, data_edits.copy(level.done.data), in_secret=False)
    return "edited by hand" if done.edited else "undone"


def _computed(pristine: object, result: object) -> str:
    if not isinstance(pristine, dict) or not isinstance(result, dict):
        return "no resources"
    in_secret = result.get("kind") == "Secret"
    try:
        found = undo.Record((), undo.compute(pristine, result, in_secret=in_secret))
        again = undo.from_text(undo.to_text(found))
    except EditError:
        return "not computed"
    for one in (found, again):
        done = revert.undo(one, result)
        require(in_secret or (data_edits.same(done.data, pristine) and not done.edited), "what was computed does not lead back")
    return "computed"


TARGET = Target("undo", seeds, check, TOKENS, is_yaml=True)
