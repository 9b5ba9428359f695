"""The incoming SDs of one environment, from `SD_DATA` or from the artifacts that `SD_VERSION` names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._kit.planner.plan import Inside
from krm_values.envgene_sd import sd_data
from krm_values.envgene_sd.canonical import is_exactly
from krm_values.envgene_sd.place import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.report import Report
    from krm_values.envgene_sd.environments import Environment, Inventory
    from krm_values.envgene_sd.parameters import Parameters

_DESCRIPTOR = ("spec", "descriptor")


def of_data(data: JSON, report: Report) -> list[JSON]:
    """Return the SDs of `SD_DATA`, JSON text or a structure; none, with a finding, if it is invalid."""
    try:
        found = sd_data.parse(data) if isinstance(data, str) else sd_data.checked(data)
    except sd_data.DataError as error:
        inside = Inside(str(data), error.line, error.column) if error.line else None
        text = f"`SD_DATA` must be JSON: {error}"
        report.error("not-json", "14", text, inside=inside, config=("SD_DATA",))
        return []
    listed: list[JSON] = found if isinstance(found, list) else [found]
    if not listed or listed == [{}] or not all(isinstance(entry, dict) for entry in listed):
        text = "`SD_DATA` must be one SD or a list of SDs, each a JSON object; found " + _shown(listed, found)
        report.error("no-sd", "13", text, config=("SD_DATA",))
        return []
    return listed


def of_artifacts(parameters: Parameters, own: Environment, inventory: Inventory, report: Report) -> list[Item]:
    """Return the artifact items for an environment in the order of SD_VERSION; its own precede common ones."""
    reaches = [_by_version(own.artifacts), _by_version(inventory.common if own.name else ())]
    known = sorted({*reaches[0], *_by_version(inventory.common)})
    holds = f"it holds {suggest.listed(known)}" if known else "it holds none"
    found = [_artifact(entry, own, reaches, holds, report) for entry in parameters.versions]
    return [item for item in found if item is not None]


def place(index: int, item: Item | None, given: JSON) -> Place:
    """Return the place of an incoming SD. given: `SD_DATA`, which contains it if it has no item."""
    if item is None:
        is_list = isinstance(given, list) or (isinstance(given, str) and given.lstrip().startswith("["))
        return Place(f"SD_DATA[{index}]", f"incoming SD {index}", config=("SD_DATA", index) if is_list else ("SD_DATA",))
    version = get(item.data, ("spec", "version"))
    return Place(str(version), f"incoming SD {index} ({version})", item, _DESCRIPTOR)


def descriptor(item: Item) -> JSON:
    """Return the SD in an artifact item."""
    return get(item.data, _DESCRIPTOR)


def _by_version(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Group artifacts by the entry of SD_VERSION that they serve."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(str(get(item.data, ("spec", "version"))), []).append(item)
    return found


def _artifact(entry: str, own: Environment, reaches: list[dict[str, list[Item]]], holds: str, report: Report) -> Item | None:
    for reach in reaches:
        serving = [item for item in reach.get(entry, ()) if get(item.data, ("spec", "version")) == entry]
        if serving:
            return _one(entry, serving, report)
    served = f" for {own.name}" if own.name else ""
    text = (
        f"the artifact {entry}{served} is not in the list ({holds}): "
        f"add the SolutionDescriptorArtifact that `krm-values envgene fetch {entry} --repository DIR` prints"
    )
    tags = {"environment": own.name} if own.name else {}
    report.error("no-artifact", "97", text, tags=tags, config=("SD_VERSION",))
    return None


def _one(entry: str, serving: list[Item], report: Report) -> Item | None:
    first = serving[0]
    for other in serving[1:]:
        if not is_exactly(get(other.data, _DESCRIPTOR), get(first.data, _DESCRIPTOR)):
            text = f"and {first.name} both serve {entry} and differ: remove one"
            report.error("artifacts-differ", "97", text, other, _DESCRIPTOR)
            return None
    if not isinstance(get(first.data, _DESCRIPTOR), dict):
        text = f"must be the SD of {entry}, a map"
        report.error("no-sd", "96", text, first, _DESCRIPTOR)
        return None
    return first


def _shown(listed: list[JSON], found: JSON) -> str:
    if not listed or listed == [{}]:
        return f"an empty {'array' if not listed else 'object'}"
    return "an array with something else in it" if isinstance(found, list) else "another value"
