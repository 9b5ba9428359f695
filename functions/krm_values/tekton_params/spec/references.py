"""References to params and results inside strings: `$(params.N)`, `$(params["N"])`, `$(tasks.T.results.R)`, and what only looks like one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.values import JSON

_NAME = r"[_a-zA-Z][_a-zA-Z0-9.-]*"
_PLAIN = r"[_a-zA-Z][_a-zA-Z0-9-]*"
_PARAM = re.compile(
    rf"\$\((?:(?P<old>inputs\.)?params\.(?P<dot>{_PLAIN}(?:\.[_a-zA-Z0-9-]+)+(?=\))|{_PLAIN})"
    rf"|params\[\"(?P<double>{_NAME})\"\]|params\['(?P<single>{_NAME})'\])(?:\[(?P<index>\*|[0-9]+)\])?\)"
)
_LOOKALIKE = re.compile(r"\$\(\s*(?:inputs\s*\.\s*)?params\s*[.\[][^()]*\)")
_MISSPELT = re.compile(
    rf"\$(?:\{{(?:inputs\.)?params(?P<braced>\.(?P<dot>{_NAME})(?:\[(?:\*|[0-9]+)\])?)[}})]"
    rf"|\((?:inputs\.)?(?P<word>[A-Za-z]+)(?P<rest>(?:\.(?P<name>{_NAME})|\[(?P<quote>[\"'])(?P<quoted>{_NAME})(?P=quote)\])"
    r"(?:\[(?:\*|[0-9]+)\])?)[)}])"
)
_PARAMS = ("params", "param", "parameter", "parameters")
_RESULT = re.compile(
    r"\$\(tasks\.(?P<task>[^.()\s]+)\.results\.(?P<result>[^.()\[\]\s]+)(?P<rest>\[\*\]|\[[0-9]+\]|\.[^()\s]+)?\)"
)


@record
class Ref:
    """One reference to a param: `$(params.NAME)`, `$(params.NAME.KEY)`, `$(params.NAME[INDEX])`; INDEX is `*` or digits."""

    text: str
    name: str
    key: str = ""
    index: str = ""
    bracket: bool = False  # `params["N"]`: in a bare string not a whole array or object
    old: bool = False  # `inputs.params.N`: replaced inside a task only
    parts: int = 1  # of the dot notation

    @property
    def label(self) -> str:
        """The name in messages: `src.port`, `list[1]`, `list`."""
        if self.key:
            return f"{self.name}.{self.key}"
        return f"{self.name}[{self.index}]" if self.index.isdigit() else self.name

    @property
    def whole(self) -> bool:
        """Whether it refers to the param and not to an element or key of it."""
        return not self.key and self.index in ("", "*")

    @property
    def star(self) -> bool:
        """Whether, alone in a string, it makes the value an array or object."""
        return self.index == "*" and not (self.key or self.bracket or self.old)


@record
class Misspelt:
    """A misspelt reference, its correct spelling, and the name in it with the keys after it."""

    text: str
    spelled: str
    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """The params that it may refer to: `a.b` is one of that name or a key of `a`."""
        return (self.name, self.name.partition(".")[0])

    def spelled_for(self, name: str) -> str:
        """Return the correct spelling for the param of this name, which is in brackets if it has dots."""
        dotted = f"$(params.{name}"
        if "." not in name or not self.spelled.startswith(dotted):
            return self.spelled
        return f'$(params["{name}"]{self.spelled.removeprefix(dotted)}'


@record
class Result:
    """A reference to a task's result. `part`: an element or a key of it, which is a string."""

    task: str
    name: str
    star: bool
    part: bool


def find(text: str) -> list[Ref]:
    """Return every reference to a param in a string, in order."""
    if "params" not in text:
        return []
    return [_ref(match) for match in _PARAM.finditer(text)]


def exact(text: JSON) -> Ref | None:
    """Return the reference that a string consists of, or None."""
    match = _PARAM.fullmatch(text) if isinstance(text, str) else None
    return _ref(match) if match else None


def exact_result(text: JSON) -> Result | None:
    """Return the reference to a result that a string consists of, or None."""
    match = _RESULT.fullmatch(text) if isinstance(text, str) and text.startswith("$(tasks.") else None
    if match is None:
        return None
    rest = match["rest"] or ""
    return Result(match["task"], match["result"], rest == "[*]", rest not in ("", "[*]"))


def has_result(value: JSON) -> bool:
    """Return whether a value refers to a task's result anywhere."""
    return any("$(tasks." in text and _RESULT.search(text) for text in strings_of(value))


def lookalikes(text: str) -> list[str]:
    """Return what looks like a reference and is not one for Tekton: spaces, `params["obj"].key`, `params.obj["key"]`."""
    if "params" not in text:
        return []
    return [found for found in _LOOKALIKE.findall(text) if not _PARAM.fullmatch(found)]


def misspelt(text: str) -> list[Misspelt]:
    """Return what would be a reference if it began with `$(params`: `$(param.N)`, `${params.N}`, `$(Params.N)`."""
    return [
        Misspelt(match[0], f"$(params{match['braced'] or match['rest']})", match["dot"] or match["name"] or match["quoted"])
        for match in (_MISSPELT.finditer(text) if "$" in text else ())
        if match["word"] is None or (match["word"] != _PARAMS[0] and suggest.nearest(match["word"], _PARAMS))
    ]


def replace(text: str, values: dict[str, str]) -> str:
    """Return the string with each whole reference to one of these names replaced."""

    def value(match: re.Match[str]) -> str:
        ref = _ref(match)
        return values.get(ref.name, ref.text) if ref.whole and not ref.index else ref.text

    return _PARAM.sub(value, text)


def strings_of(value: JSON) -> Iterator[str]:
    """Yield every string of a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from strings_of(member)


def _ref(match: re.Match[str]) -> Ref:
    index, old = match["index"] or "", bool(match["old"])
    quoted = match["double"] or match["single"]
    if quoted:
        return Ref(match[0], quoted, "", index, bracket=True)
    name, _, key = match["dot"].partition(".")
    return Ref(match[0], name, key, index, old=old, parts=match["dot"].count(".") + 1)
