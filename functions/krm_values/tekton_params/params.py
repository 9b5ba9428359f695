"""The entries of a list `params`, and the references to them in strings: `$(params.N)`, `$(params["N"])`, and what only looks like one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import EditError
from krm_values._data.record import record
from krm_values._data.scalars import like, text_of
from krm_values._data.values import FlowList
from krm_values._yaml.emit import as_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON

    Entry = TypeVar("Entry", "ParamValue", "Declaration")

TYPES = ("string", "array", "object")
_COPIED = ("description", "properties", "default")
_NAME = r"[_a-zA-Z][_a-zA-Z0-9.-]*"
_PLAIN = r"[_a-zA-Z][_a-zA-Z0-9-]*"
_PARAM = re.compile(
    rf"\$\((?:(?P<old>inputs\.)?params\.(?P<dot>{_PLAIN}(?:\.[_a-zA-Z0-9-]+)+(?=\))|{_PLAIN})"
    rf"|params\[\"(?P<double>{_NAME})\"\]|params\['(?P<single>{_NAME})'\])(?:\[(?P<index>\*|[0-9]+)\])?\)"
)
_LOOKALIKE = re.compile(r"\$\(\s*(?:inputs\s*\.\s*)?params\s*[.\[][^()]*\)")
_UNCLOSED = re.compile(r"\$\((?:inputs\.)?params[.\[][^()\n]*(?=[(\n]|\Z)")
_REFERENCE = re.compile(r"\$\([^()]*\)")
_MISSPELT = re.compile(
    rf"\$(?:\{{(?:inputs\.)?params(?P<braced>\.(?P<dot>{_NAME})(?:\[(?:\*|[0-9]+)\])?)[}})]"
    rf"|\((?:inputs\.)?(?P<word>[A-Za-z]+)(?P<rest>(?:\.(?P<name>{_NAME})|\[(?P<quote>[\"'])(?P<quoted>{_NAME})(?P=quote)\])"
    r"(?:\[(?:\*|[0-9]+)\])?)[)}])"
)
_PARAMS = ("params", "param", "parameter", "parameters")
_RESULT = r"\$\(tasks\.(?P<task>[^.()\s]+)\.results\.(?P<result>[^.()\[\]\s]+)(?P<rest>\[\*\]|\[[0-9]+\]|\.[^()\s]+)?\)"


@record
class ParamValue:
    """A param's value in a run, a pipeline task or a matrix; `path` is that of the entry."""

    name: str
    value: JSON
    path: Path
    written: bool = True  # whether there is a `value`

    @property
    def authored(self) -> dict[str, JSON]:
        """The authored parts of the entry, by key."""
        return {"name": self.name, "value": self.value}


@record
class Declaration:
    """A param's declaration. `type` is filled in where it is not written; "" if the written type is unknown."""

    name: str
    type: str
    data: dict[str, JSON]
    path: Path

    @property
    def authored(self) -> dict[str, JSON]:
        """The authored parts of the entry, by key."""
        return {"name": self.name, "default": self.default, "enum": self.data.get("enum")}

    @property
    def properties(self) -> dict[str, JSON] | None:
        """The keys of an object, each with its type filled in; None if no `properties` are written."""
        properties = self.data.get("properties")
        return {key: _property(entry) for key, entry in properties.items()} if isinstance(properties, dict) else None

    @property
    def default(self) -> JSON:
        return self.data.get("default")

    @property
    def has_default(self) -> bool:
        return self.default is not None

    @property
    def is_required(self) -> bool:
        """Whether a value has to be passed: without one, the param or a key of the object has no value."""
        if isinstance(self.default, dict) and self.type == "object":
            return not self.default.keys() >= (self.properties or {}).keys()
        return not self.has_default

    @property
    def enum(self) -> tuple[str, ...]:
        enum = self.data.get("enum")
        return (
            tuple(as_text(choice) for choice in enum if not isinstance(choice, (dict, list))) if isinstance(enum, list) else ()
        )

    @property
    def copied(self) -> dict[str, JSON]:
        """What a copy may repeat besides name and type, in the order written."""
        found = {
            key: self.properties if key == "properties" else value
            for key, value in self.data.items()
            if key in _COPIED and value is not None and (key != "properties" or self.properties is not None)
        }
        return like(self.data, found)


def values(entries: JSON, path: Path) -> tuple[ParamValue, ...]:
    """Return the values of a list `params`; entries without a name are skipped."""
    return tuple(ParamValue(name, entry.get("value"), at, "value" in entry) for name, entry, at in named(entries, path))


def declarations(entries: JSON, path: Path) -> tuple[Declaration, ...]:
    """Return the declarations of a list `params`; entries without a name are skipped."""
    return tuple(Declaration(name, _declared_type(entry), entry, at) for name, entry, at in named(entries, path))


def named(entries: JSON, path: Path) -> Iterator[tuple[str, dict[str, JSON], Path]]:
    """Yield each entry that is a map with a name. A name that is not a string is taken as its text."""
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(entry, dict) and name is not None and not isinstance(name, (dict, list)):
            yield as_text(name), entry, (*path, index)


def first(entries: Iterable[Entry]) -> list[Entry]:
    """Return the first entry of each name, in order."""
    found: dict[str, Entry] = {}
    for entry in entries:
        found.setdefault(entry.name, entry)
    return list(found.values())


def matrix_values(matrix: JSON, path: Path) -> tuple[ParamValue, ...]:
    """Return the values that a matrix supplies: its params, then the rows of `include`. A list is read as its params."""
    if isinstance(matrix, list):
        return values(matrix, path)
    if not isinstance(matrix, dict):
        return ()
    rows = matrix.get("include")
    included = (
        value
        for index, row in enumerate(rows if isinstance(rows, list) else ())
        if isinstance(row, dict)
        for value in values(row.get("params"), (*path, "include", index, "params"))
    )
    return (*values(matrix.get("params"), (*path, "params")), *included)


def type_of(value: JSON) -> str:
    """Return the type of a value by its form: a list of strings, a map of strings; anything else is a string."""
    if isinstance(value, list) and all(isinstance(member, str | None) for member in value):
        return "array"
    if isinstance(value, dict) and all(isinstance(member, str | None) for member in value.values()):
        return "object"
    return "string"


def as_text(value: JSON) -> str:
    """Return a value as the string that Tekton makes of it: a scalar's text, or compact JSON ("" if JSON has no such number)."""
    if isinstance(value, str | bool | None) or type(value) is int:
        return text_of(value)
    from krm_values._go.encoding_json import by_value, number_text  # noqa: PLC0415 - few values are not strings

    try:
        return as_json(by_value(value)) if isinstance(value, (dict, list)) else number_text(value)
    except EditError:
        return ""


def string_properties(names: tuple[str, ...]) -> dict[str, JSON]:
    """Return the properties of an object with these keys."""
    return {name: {"type": "string"} for name in names}


def with_article(kind: str) -> str:
    """Return a type with its article."""
    return f"an {kind}" if kind[:1] in "ao" else f"a {kind}"


def _declared_type(entry: dict[str, JSON]) -> str:
    written = entry.get("type")
    if written not in (None, ""):
        return written if isinstance(written, str) and written in TYPES else ""
    if isinstance(entry.get("properties"), dict):
        return "object"
    return type_of(entry.get("default"))


def _property(entry: JSON) -> JSON:
    if entry is None:
        return {"type": "string"}
    if not isinstance(entry, dict) or entry.get("type") not in (None, ""):
        return entry
    return {**entry, "type": "string"}


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

    def is_in(self, length: int) -> bool:
        """Return whether a list of this length has the element; digits without end are not read as a number."""
        return len(self.index) < 10 and int(self.index) < length


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
    """A reference to a task's result: `$(tasks.T.results.R)`. `part`: an element or a key of it, which is a string."""

    task: str
    name: str
    star: bool
    part: bool


def find(text: str) -> list[Ref]:
    """Return every reference to a param in a string, in order."""
    return [_ref(match) for match in _PARAM.finditer(text)] if "params" in text else []


def has_reference(text: str) -> bool:
    """Return whether a string refers to a param."""
    return "params" in text and _PARAM.search(text) is not None


def find_in(value: JSON) -> Iterator[Ref]:
    """Yield every reference to a param in the strings of a value, at any depth."""
    for text in strings_of(value):
        yield from find(text)


def exact(text: JSON) -> Ref | None:
    """Return the reference that a string consists of, or None."""
    match = _PARAM.fullmatch(text) if isinstance(text, str) else None
    return _ref(match) if match else None


def exact_result(text: JSON) -> Result | None:
    """Return the reference to a result that a string consists of, or None."""
    match = re.fullmatch(_RESULT, text) if isinstance(text, str) and text.startswith("$(tasks.") else None
    if match is None:
        return None
    rest = match["rest"] or ""
    return Result(match["task"], match["result"], rest == "[*]", rest not in ("", "[*]"))


def has_result(value: JSON) -> bool:
    """Return whether a value refers to a task's result anywhere."""
    return any("$(tasks." in text and re.search(_RESULT, text) for text in strings_of(value))


def lookalikes(text: str) -> list[str]:
    """Return what looks like a reference and is not one for Tekton: spaces, `params["obj"].key`, `params.obj["key"]`, `$(params.a`."""
    if "params" not in text:
        return []
    unclosed = (found.removesuffix("$").rstrip() for found in _UNCLOSED.findall(text))
    return [*(found for found in _LOOKALIKE.findall(text) if not _PARAM.fullmatch(found)), *unclosed]


def may_become(pattern: str, other: str) -> bool:
    """Return whether a text with references may become another text, as far as the text around them says."""
    start, *rest = _REFERENCE.split(pattern)
    if "$(" in other or not rest:
        return True
    if not other.startswith(start):
        return False
    at = len(start)
    for piece in rest[:-1]:
        found = other.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return other.endswith(rest[-1]) and len(other) - len(rest[-1]) >= at


def merged_brackets(text: str) -> list[str]:
    """Return the elements in brackets that a later reference in brackets follows on the line: Tekton's checks read both as one name."""
    found: list[str] = []
    for line in text.split("\n") if "][" in text else ():
        refs = [match for match in _PARAM.finditer(line) if match["double"] or match["single"]]
        last = {bool(match["double"]): match.start() for match in refs if not match["index"]}
        found.extend(match[0] for match in refs if match["index"] and match.start() < last.get(bool(match["double"]), -1))
    return found


def misspelt(text: str) -> list[Misspelt]:
    """Return what would be a reference if it began with `$(params`: `$(param.N)`, `${params.N}`, `$(Params.N)`."""
    return [
        Misspelt(match[0], f"$(params{match['braced'] or match['rest']})", match["dot"] or match["name"] or match["quoted"])
        for match in (_MISSPELT.finditer(text) if "$" in text else ())
        if match["word"] is None or (match["word"] != "params" and suggest.nearest(match["word"], _PARAMS))
    ]


def substituted(text: str, values: dict[str, str]) -> str:
    """Return the string with each whole reference to one of these names replaced."""

    def value(match: re.Match[str]) -> str:
        ref = _ref(match)
        return values.get(ref.name, ref.text) if ref.whole and not ref.index else ref.text

    return _PARAM.sub(value, text)


def strings_of(value: JSON) -> Iterator[str]:
    """Yield every string of a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for member in value.values() if isinstance(value, dict) else value:
            if isinstance(member, str):
                yield member
            else:
                yield from strings_of(member)


def pass_through(name: str, kind: str) -> JSON:
    """Return the value that passes on the outer param of this name and type."""
    inner = f'["{name}"]' if "." in name else f".{name}"
    if kind == "array":
        return FlowList([f"$(params{inner}[*])"])
    return f"$(params{inner}[*])" if kind == "object" else f"$(params{inner})"


def key_reference(name: str, key: str) -> str:
    """Return the value that passes on one key of the outer object."""
    return f"$(params.{name}.{key})"


def is_pass_through(value: JSON, name: str, kind: str) -> bool:
    """Return whether a value is the outer param of the same name and nothing else, in any spelling that Tekton reads so."""
    if isinstance(value, list):
        ref = exact(value[0]) if len(value) == 1 else None
        return ref is not None and kind in ("array", "") and ref.name == name and ref.whole and not ref.old
    ref = exact(value)
    if ref is None or ref.name != name or ref.old or ref.key:
        return False
    return (ref.star and kind != "string") or (not ref.index and kind in ("string", ""))


def is_added_form(value: JSON, name: str) -> bool:
    """Return whether a value has the form that this function writes for this name, whatever its type."""
    return any(value == pass_through(name, kind) for kind in ("string", "array", "object"))


def _ref(match: re.Match[str]) -> Ref:
    index, old = match["index"] or "", bool(match["old"])
    quoted = match["double"] or match["single"]
    if quoted:
        return Ref(match[0], quoted, "", index, bracket=True)
    name, _, key = match["dot"].partition(".")
    return Ref(match[0], name, key, index, old=old, parts=match["dot"].count(".") + 1)
