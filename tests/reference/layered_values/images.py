"""Parts of texts [80-83]: the pieces of an image reference, and pieces between separators."""

from __future__ import annotations

import re
from typing import Any

from tests.reference.layered_values.faults import Stop

Json = Any
FITS = {
    "tag": r"[\w][\w.-]{0,127}",
    "digest": r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}",
    "registry": r"[^/@\s]*[.:][^/@\s]*|localhost",
    "repository": r"[^:@\s]+",
    "name": r"[^@\s]+",
}


def split(image: str) -> dict[str, str]:
    """The pieces of an image reference that are there."""
    found = {}
    rest, at, digest = image.partition("@")
    if at:
        found["digest"] = digest
    head, slash, last = rest.rpartition("/")
    last, colon, tag = last.partition(":")
    if colon:
        found["tag"] = tag
    name = head + slash + last
    first, slash, behind = name.partition("/")
    if slash and (re.search("[.:]", first) or first == "localhost"):
        found["registry"], found["repository"] = first, behind
    else:
        found["repository"] = name
    found["name"] = name
    return found


def join(parts: dict[str, str]) -> str:
    """The image reference of pieces."""
    registry = parts["registry"] + "/" if "registry" in parts else ""
    tag = ":" + parts["tag"] if "tag" in parts else ""
    return registry + parts["repository"] + tag + ("@" + parts["digest"] if "digest" in parts else "")


def piece(text: str, part: Json) -> str:
    """One piece of a text [24]."""
    if isinstance(part, dict):
        pieces = text.split(part["split"])
        if part["index"] >= len(pieces):
            raise Stop("part")
        return pieces[part["index"]]
    found = split(text)
    if part not in found:
        raise Stop("part")
    return found[part]


def rewritten(text: str, pieces: list[tuple[Json, str]]) -> str:
    """A text with pieces replaced [82, 83]."""
    image = split(text)
    names = [part for part, _ in pieces if isinstance(part, str)]
    if "tag" in names and "digest" in image and "digest" not in names:
        raise Stop("part")
    for part, new in pieces:
        if isinstance(part, dict):
            parts = text.split(part["split"])
            if part["index"] >= len(parts) or part["split"] in new:
                raise Stop("part")
            parts[part["index"]] = new
            text = part["split"].join(parts)
        elif re.fullmatch(FITS[part], new) is None:
            raise Stop("part")
        elif part == "name":
            inner = split(new)
            if "tag" in inner or "digest" in inner:
                raise Stop("part")
            image.pop("registry", None)
            image |= {key: inner[key] for key in ("registry", "repository") if key in inner}
        else:
            image[part] = new
    if names and split(join(image)).get("registry") != image.get("registry"):
        raise Stop("part")
    return join(image) if names else text
