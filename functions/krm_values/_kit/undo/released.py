"""Resources whose undo records and marks were removed: how `clean` removes them, and how a function treats such a resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.data_edits import Remove
from krm_values._data.errors import EditError
from krm_values._data.limits import DEFAULT
from krm_values._data.pointer import get
from krm_values._kit.engine.generated import BY, FROM
from krm_values._kit.planner import annotations as hosts
from krm_values._kit.planner import names, withheld
from krm_values._kit.planner.item import is_secret

if TYPE_CHECKING:
    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item

MARK = f"{names.GROUP}/released"
"""The annotation of a resource whose undo records were removed: the functions that had written there, separated by commas."""
_RECORD = f"{names.GROUP}/undo."
_ANNOTATIONS = ("metadata", "annotations")


def cleaned(item: Item, text: str, *, is_json: bool, limits: Limits = DEFAULT) -> str:
    """Return the text of a resource without undo records and marks of generated objects; all other bytes stay.

    InputError if it mentions such annotations and cannot be read. A resource that had records keeps the names of their writers (`MARK`), and
    one with values from Secrets the mark that hides them.
    """
    if f"{names.GROUP}/" not in text:
        return text
    found = item.reading.annotations
    if item.error:
        raise item.error
    records = [key for key in found if key.startswith(_RECORD)]
    gone = [*records, *(key for key in (BY, FROM) if key in found)]
    if not gone:
        return text
    from krm_values._yaml.edit.editor import Editor  # noqa: PLC0415 - few commands come here

    editor = Editor(text, is_json=is_json, limits=limits)
    if records:
        wrote = {*writers(item), *(key.removeprefix(_RECORD) for key in records)}
        editor.put((*_ANNOTATIONS, MARK), ",".join(sorted(wrote)))
    if records and item.withheld and not is_secret(item):
        editor.put((*_ANNOTATIONS, withheld.MARK), withheld.mark(item.withheld))
    for key in gone:
        editor.make(Remove((*_ANNOTATIONS, key)))
    if not get(editor.data, _ANNOTATIONS):
        editor.make(Remove(_ANNOTATIONS))
    return editor.text()


def writers(item: Item) -> list[str]:
    """Return the `Writer.key` of each function that wrote to a resource and has no record of it any more."""
    text = item.reading.annotations.get(MARK, "")
    return text.split(",") if text else []


def check(item: Item, data: JSON, key: str) -> None:
    """Raise EditError if a writer would change a resource from which its record was removed. data: the resource after the plan. key: the writer's."""
    if data_edits.same(hosts.hide(data)[0], item.data):
        return
    text = (
        f"would be changed by {key}, which wrote to it before, but `krm-values clean` removed the record: what was there before is "
        f"not known; render from the sources, or remove the annotation `{MARK}` if this is the original"
    )
    raise EditError(text)
