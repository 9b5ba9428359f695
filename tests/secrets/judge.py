"""What is said and written of resources with planted Secrets, and where a value of theirs may stand."""

from __future__ import annotations

import json
from typing import Any

from tests.answers import cells, whole
from tests.secrets.commands import krm
from tests.secrets.markers import Marker, places, without

FORMS = (("--json",), (), ("--patch",))
Places = set[tuple[str, str, str, str]]
"""(kind, namespace, name, pointer)"""


def of_secrets(explanation: bytes, before: Places) -> Places:
    """Where `explain --json` says that a value comes out of a Secret, or out of a place that held one before."""
    found = set(before)
    for value in json.loads(explanation)["values"] if explanation else ():
        places = (place for cell in cells(value) for one in whole(cell) for place in (one, *one["way"]))
        if any(_tells(place, found) for place in places):
            found.add((*_resource(value), value["pointer"]))
    return found


def _tells(place: dict[str, Any], known: Places) -> bool:
    if "resource" not in place:
        return False
    kind, *_ = one = _resource(place)
    path = _parts(place["path"])
    return kind == "Secret" or any(tuple(named) == one and _meets(_parts(at), path) for *named, at in known)


def _parts(path: str) -> list[str]:
    """A path or pointer as its parts, whichever it is."""
    text = path.replace('["', "/").replace('"]', "").replace("[", "/").replace("]", "").replace("~1", ".")
    return [part for part in text.replace("/", ".").split(".") if part]


def _meets(one: list[str], other: list[str]) -> bool:
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]


def _resource(entry: dict[str, Any]) -> tuple[str, str, str]:
    named = entry["resource"]
    return named["kind"], named.get("namespace", ""), named["name"]


def silent(markers: list[Marker], what: str, *texts: bytes) -> None:
    """Nothing of a marker is in these texts."""
    for text in texts:
        for marker in markers:
            assert not marker.found(text), f"{what}: {marker.found(text)}"


def explained(stdin: bytes, markers: list[Marker], *arguments: object) -> bytes:
    """Every form of `explain` is silent; the JSON one."""
    forms = [krm("explain", *arguments, *form, stdin=stdin) for form in FORMS]
    for form, done in zip(FORMS, forms, strict=True):
        silent(markers, f"explain {' '.join(form)}", done.said)
    patch = forms[2]
    if b"<hidden>" in patch.stdout:
        assert b"cannot be applied" in patch.stderr
        assert b"--show-secrets" in patch.stderr
    return forms[0].stdout if forms[0].stdout.startswith(b"{") else b""


def ran(stdin: bytes, markers: list[Marker], before: Places, *arguments: object) -> tuple[bytes, Places, int]:
    """`explain`, then `run` over a list: its output, the places that may hold a Secret's value, and how many do. All else is silent."""
    allowed = of_secrets(explained(stdin, markers, *arguments), before)
    done = krm("run", *arguments, stdin=stdin)
    silent(markers, "stderr", done.stderr)
    text = done.stdout.decode()
    found = places(text, allowed)
    silent(markers, "stdout", without(text, found).encode())
    arrived = sum(
        any(marker.found(text[start:end].encode()) for marker in markers) for start, end in places(text, allowed - before)
    )
    assert not done.opened
    return done.stdout, allowed, arrived
