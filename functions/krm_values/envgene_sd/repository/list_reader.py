"""The SDs of the list that `envgene sink` reads: whatever else may be one is an error, so that no edit is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._data.record import replace
from krm_values._data.shown import described
from krm_values._kit.kio import documents
from krm_values._kit.planner import names, places
from krm_values._kit.planner import plan as planner
from krm_values._kit.planner.served import Served, misspelt
from krm_values._yaml.encoding import is_blank
from krm_values.envgene_sd.environments import ARTIFACT, NAMESPACE, SD
from krm_values.envgene_sd.repository.faults import DESCRIPTOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.report import Report

_SERVED = (Served(names.GROUP, (), (SD,), (ARTIFACT, NAMESPACE)),)
_LIST = "ResourceList"


def read(data: bytes, report: Report) -> Iterator[tuple[Item, str]]:
    """Yield the SDs of a list that can be read, each with its text. InputError if the input is not a list of resources.

    faults: takes an error for each item that cannot be read, and for each whose kind or group is almost that of an SD.
    """
    if is_blank(data.decode(errors="replace")):
        raise InputError("must be a list of resources, found nothing", file="stdin")
    carrier = documents.read(data, "stdin", unfold=True)
    for item in carrier.items:
        _check_is_resource(item)
        if item.error:
            report.add(planner.unreadable(item, item.error, DESCRIPTOR))
        elif item.kind == SD and item.group == names.GROUP:
            yield item, carrier.text(item.number)
        else:
            report.extend(replace(found, severity="error") for found in misspelt(_SERVED, (item,), DESCRIPTOR))


def _check_is_resource(item: Item) -> None:
    """Raise InputError for a list that was cut off, one whose own keys are misspelt, or the text of an SD itself."""
    fault, path = _fault(item)
    if item.error and (fault or item.kind == _LIST):
        raise InputError(
            f"must be a list of resources: {item.error.message}", item.error.line, item.error.column, item.error.file
        )
    if fault:
        raise InputError(f"must be a list of resources: {fault}", *places.of_field(item, path), "stdin")


def _fault(item: Item) -> tuple[str, tuple[str, ...]]:
    """Return what is wrong with something that is not a resource, and at which key; an empty string for a resource."""
    data = item.data if isinstance(item.data, dict) else {}
    if isinstance(data.get("items"), list) and not item.kind.endswith("List"):
        hint = suggest.hint(item.kind, [_LIST])
        return f"`kind` must be `{_LIST}`, found {described(item.kind)}{hint}", ("kind",)
    if item.kind == _LIST and not isinstance(data.get("items", []), list | None):
        return f"`items` must be a list, found {described(data['items'])}", ("items",)
    if item.kind == _LIST and "items" not in data and (near := suggest.nearest("items", data)):
        return f"`{near}` is not a field of a {_LIST}; did you mean `items`?", (near,)
    if not item.kind and not suggest.nearest("kind", data):
        return "found something without a `kind`; give it what `envgene source` prints", ()
    return "", ()
