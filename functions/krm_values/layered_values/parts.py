"""Parts of a string: those of an image reference by name, or the pieces between separators."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.record import record, replace

if TYPE_CHECKING:
    from typing import TypeAlias

    Part: TypeAlias = "str | Piece"

_COMPONENT = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_REPOSITORY = rf"{_COMPONENT}(?:/{_COMPONENT})*"
_FORMS = {
    "registry": r"\A(?=localhost\Z|[A-Za-z0-9-]{0,63}[.:\[])[A-Za-z0-9.:\[\]-]+\Z",
    "repository": _REPOSITORY,
    "tag": r"\A[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}\Z",
    "digest": r"\A[A-Za-z][A-Za-z0-9_+.-]*:[0-9a-fA-F]{32,}\Z",
}


class PartError(ValueError):
    """A part that does not exist, or a value that cannot be one; `{found}` in the message is replaced by the value.

    beside: the part that is valid beside other parts of the image, "" if it never is.
    """

    def __init__(self, message: str, *, beside: str = "") -> None:
        super().__init__(message)
        self.message, self.beside = message, beside


@record
class Piece:
    """The piece between separators, counted from 0."""

    split: str
    index: int


@record
class Image:
    """An image reference; an empty part is absent."""

    registry: str = ""
    repository: str = ""
    tag: str = ""
    digest: str = ""

    @property
    def name(self) -> str:
        """Registry and repository."""
        return f"{self.registry}/{self.repository}" if self.registry else self.repository

    @property
    def text(self) -> str:
        """The whole reference."""
        return self.name + (f":{self.tag}" if self.tag else "") + (f"@{self.digest}" if self.digest else "")


def image(text: str) -> Image:
    """Split an image reference. The registry has a `.` or `:` or is `localhost`."""
    rest, _, digest = text.partition("@")
    first, slash, behind = rest.partition("/")
    is_registry = bool(slash) and ("." in first or ":" in first or first == "localhost")
    registry, rest = (first, behind) if is_registry else ("", rest)
    repository, _, tag = rest.partition(":")
    return Image(registry, repository, tag, digest)


def read(text: str, part: Part) -> str | None:
    """Return a part of a string; None if it does not have it."""
    if isinstance(part, Piece):
        pieces = text.split(part.split)
        return pieces[part.index] if part.index < len(pieces) else None
    return getattr(image(text), part) or None


def written(text: str, parts: list[tuple[Part, str]]) -> str:
    """Return the string with these parts. PartError if one does not exist, or a value cannot be one."""
    pieces = [(part, value) for part, value in parts if isinstance(part, Piece)]
    named = {part: value for part, value in parts if isinstance(part, str)}
    for part, value in pieces:
        text = _with_piece(text, part, value)
    return _with_parts(text, named) if named else text


def is_used_up(text: str, replaced: list[Part]) -> bool:
    """Return whether nothing of a string remains if these existing parts of it are replaced."""
    pieces = [part for part in replaced if isinstance(part, Piece)]
    for piece in pieces:
        text = _with_piece(text, piece, "")
    for piece in pieces:
        text = text.replace(piece.split, "")
    if "name" in replaced:
        replaced = [*replaced, "registry", "repository"]
    return not (text if pieces else any(getattr(image(text), part) for part in _FORMS if part not in replaced))


def _with_piece(text: str, part: Piece, value: str) -> str:
    pieces = text.split(part.split)
    if part.index >= len(pieces):
        raise PartError(f"has no piece {part.index}: it has {len(pieces)} between `{part.split}`")
    if part.split in value:
        raise PartError(f"cannot take {{found}} as piece {part.index}: it holds the separator `{part.split}`")
    pieces[part.index] = value
    return part.split.join(pieces)


def _with_parts(text: str, named: dict[str, str]) -> str:
    for part, value in named.items():
        _check(part, value)
    found = image(text)
    if "tag" in named and found.digest and "digest" not in named:
        text = "has a digest, which decides what is pulled: a tag beside it changes nothing; write the digest too"
        raise PartError(text, beside="tag")
    if "name" in named:
        name = image(named["name"])
        found = replace(found, registry=name.registry, repository=name.repository)
    made = replace(found, **{part: value for part, value in named.items() if part != "name"})
    if image(made.text).registry != made.registry:
        why = "its first part would be the registry: write that as `registry`, or both as `name`"
        raise PartError(f"cannot take {{found}} as repository: it is not one, {why}", beside="repository")
    return made.text


def _check(part: str, value: str) -> None:
    if part == "name":
        found = image(value)
        is_one = not found.tag and not found.digest and bool(re.fullmatch(_REPOSITORY, found.repository))
        is_one = is_one and (not found.registry or bool(re.fullmatch(_FORMS["registry"], found.registry)))
    else:
        is_one = bool(re.fullmatch(_FORMS[part], value))
    if not is_one:
        raise PartError(f"cannot take {{found}} as {part}: it is not one")
