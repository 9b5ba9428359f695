"""Edits a YAML or JSON text in a field; all other bytes of it stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.diff import diff
from krm_values._data.errors import EditError, InputError
from krm_values._data.pointer import get
from krm_values._data.record import replace
from krm_values._data.scalars.go import resolve
from krm_values._data.scalars.text import is_disputed
from krm_values._golang.yaml import read as goyaml
from krm_values.layered_values.fault import FieldError

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Origin


class Text:
    """One text: its data, as Go reads it, with the values that targets set, and the texts in it that are edited."""

    __slots__ = ("_limits", "_path", "_removed", "_text", "_texts", "before", "data")

    def __init__(self, text: str, path: Path, limits: Limits) -> None:
        self._text, self._path, self._limits = text, path, limits
        self.before = _read(text, path, limits)
        self.data: Any = data_edits.copy(self.before)
        self._removed: list[Path] = []
        self._texts: dict[Path, Text] = {}

    def nested(self, path: Path) -> Text:
        """Return the text at a path of this one, which is parsed once."""
        if path not in self._texts:
            self._texts[path] = Text(str(get(self.before, path)), self._path, self._limits)
        return self._texts[path]

    def put(self, path: Path, value: Any, _origin: Origin) -> None:
        """Set a value; its parent exists, or it is the next element of a list."""
        parent: Any = get(self.data, path[:-1])
        if isinstance(parent, list) and path[-1] == len(parent):
            parent.append(value)
        else:
            parent[path[-1]] = value

    def remove(self, path: Path, _origin: Origin) -> None:
        """Remove a field when everything is written."""
        self._removed.append(path)

    def written(self) -> str:
        """Return the text with all changes."""
        for path, text in self._texts.items():
            data_edits.put(self.data, path, text.written())
        for path in sorted(self._removed, key=str, reverse=True):
            data_edits.remove(self.data, path)
        edits = list(diff(self.before, self.data))
        if not edits:
            return self._text
        from krm_values._golang.encoding_json import is_json  # noqa: PLC0415 - few targets lead into texts
        from krm_values._yaml.edit.editor import Editor  # noqa: PLC0415

        try:
            editor, read = Editor(self._text, is_json=is_json(self._text), limits=self._limits), data_edits.copy(self.before)
            for edit in edits:
                editor.make(replace(edit, path=self._spelt(edit.path, read, editor.data)))
                edit.apply(read)
            return editor.text()
        except (EditError, InputError) as error:
            raise FieldError("not-a-map", "68", f"is a text that cannot be edited: {error.message}", path=self._path) from None

    def _spelt(self, path: Path, read: JSON, written: JSON) -> Path:
        """Return a path with the keys as the text writes them: Go's `true` may be a plain `y`, `yes` or `on` there."""
        found: list[str | int] = []
        for part in path:
            key = self._key(part, read, written) if isinstance(read, dict) and isinstance(written, dict) else part
            found.append(key)
            read, written = get(read, (part,)), get(written, (key,))
        return (*found,)

    def _key(self, part: str | int, read: dict[str, JSON], written: dict[str, JSON]) -> str | int:
        if part in ("true", "false"):
            words = (
                key for key in reversed(written) if is_disputed(key) and key not in read and resolve(key) is (part == "true")
            )
            return part if part in written else next(words, part)
        if part in written and part not in read:
            text = f"has the plain key `{part}`, which Go reads as {'true' if resolve(str(part)) else 'false'}: quote it"
            raise FieldError("not-a-map", "68", text, path=self._path)
        return part


def _read(text: str, path: Path, limits: Limits) -> Any:
    """Return the data of a text that is one document, a map or a list."""
    try:
        found = goyaml.read(text, limits=limits)
    except InputError as error:
        raise FieldError(
            "not-a-map", "68", f"is not YAML or JSON, and the path continues below it: {error.message}", path=path
        ) from None
    if any(fact.kind == "document" for fact in found.lints):
        raise FieldError("not-a-map", "68", "has several YAML documents, and the path continues below it", path=path)
    if any(fact.kind == "sops" for fact in found.lints):
        raise FieldError("not-a-map", "68", "is encrypted with SOPS, and the path continues below it", path=path)
    if not isinstance(found.data, dict | list):
        raise FieldError(
            "not-a-map", "68", "is a string that is not a map or a list, and the path continues below it", path=path
        )
    return found.data
