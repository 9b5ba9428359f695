"""The incoming SD of one environment: SDs of `SD_DATA` or of artifacts are read, checked and folded into one.

An SD may give its postfixes as names of Namespaces (`userData.useDeployPostfixAsNamespace`); they are translated into the folders of the
environment's Namespace objects. Source: `build_namespace_dict` of EnvGene's `process_sd.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits, suggest
from krm_values._data.pointer import get
from krm_values._data.record import replace
from krm_values._data.scalars import text_of
from krm_values._krm.findings import Report
from krm_values._krm.plan import Finding, Inside
from krm_values.envgene_sd import descriptors, graph, parameters
from krm_values.envgene_sd.descriptors import (
    APPLICATION,
    GRAPH,
    HEADER,
    MARKER,
    SdPlace,
    Sources,
    differing_headers,
    is_exactly,
    near_instead_of,
    shared_aliases,
)
from krm_values.envgene_sd.merge import Incoming, IncomingApplication, entries, reduced
from krm_values.envgene_sd.parameters import EXTENDED, REPLACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values.envgene_sd.descriptors import Application, Descriptor
    from krm_values.envgene_sd.environments import Environment, Inventory
    from krm_values.envgene_sd.parameters import Parameters

_DESCRIPTOR = ("spec", "descriptor")
_SHOWN = 10
_ROLES = ("-origin", "-peer")


def of_data(data: JSON, report: Report) -> list[JSON]:
    """Return the SDs of `SD_DATA`, JSON text or a structure; none, with a finding, if it is invalid."""
    try:
        found = parameters.parse(data) if isinstance(data, str) else parameters.checked(data)
    except parameters.DataError as error:
        inside = Inside(str(data), error.line, error.column) if error.line else None
        report.error("not-json", "14", f"`SD_DATA` must be JSON: {error}", inside=inside, config=("SD_DATA",))
        return []
    listed: list[JSON] = found if isinstance(found, list) else [found]
    if not listed or listed == [{}] or not all(isinstance(entry, dict) for entry in listed):
        text = "`SD_DATA` must be one SD or a list of SDs, each a JSON object; found " + _shown(listed, found)
        report.error("no-sd", "13", text, config=("SD_DATA",))
        return []
    return listed


def _shown(listed: list[JSON], found: JSON) -> str:
    if not listed or listed == [{}]:
        return f"an empty {'array' if not listed else 'object'}"
    return "an array with something else in it" if isinstance(found, list) else "another value"


def read(
    environment: Environment, given: Parameters, inventory: Inventory, data: list[JSON], report: Report
) -> Incoming | None:
    """Return the incoming SD of an environment; None if an SD has an error, or there is none.

    data: the SDs of `SD_DATA`. report: without errors so far.
    """
    items: list[Item | None] = [None] * len(data)
    if given.source == "artifact":
        items = list(_artifacts(environment, given, inventory, report))
        data = [get(item.data, _DESCRIPTOR) for item in items if item]
    of_names = Report()
    folders = _folders(environment.namespaces, of_names) if any(map(_is_marked, data)) else {}
    report.extend(of_names.findings)
    names, is_ambiguous = _names(environment.namespaces), of_names.failed
    is_extended, is_folded = given.mode == EXTENDED, len(data) > 1 or given.mode not in (EXTENDED, REPLACE)
    found = []
    for index, (sd, item) in enumerate(zip(data, items, strict=False)):
        place, untranslated = replace(_place(index, item, given.data), is_translated=_is_marked(sd)), Report()
        translated = _translated(sd, folders, place, untranslated) if _is_marked(sd) else sd
        report.extend(map(environment.named, untranslated.findings))
        is_reported = _is_marked(sd) and (is_ambiguous or bool(untranslated.findings))
        descriptors.check_keys(sd, place, report, reported="deployPostfix" if is_reported else "")
        if descriptor := descriptors.read(translated, place, report):
            descriptors.check_incoming(descriptor, report, extended=is_extended, folded=is_folded, reported=is_reported)
            if not is_reported:
                report.extend(map(environment.named, _unknown_postfixes(descriptor.applications, names)))
            found.append(descriptor)
    folded = _fold(found, report, extended=is_extended) if found and not report.failed else None
    return None if report.failed else folded


def _place(index: int, item: Item | None, given: JSON) -> SdPlace:
    """Return the place of an incoming SD. given: `SD_DATA`, which contains it if it has no item."""
    if item is None:
        is_list = isinstance(given, list) or (isinstance(given, str) and given.lstrip().startswith("["))
        return SdPlace(f"SD_DATA[{index}]", f"incoming SD {index}", config=("SD_DATA", index) if is_list else ("SD_DATA",))
    version = get(item.data, ("spec", "version"))
    return SdPlace(str(version), f"incoming SD {index} ({version})", item, _DESCRIPTOR)


def _artifacts(own: Environment, given: Parameters, inventory: Inventory, report: Report) -> Iterator[Item]:
    """Yield the artifact items for an environment in the order of SD_VERSION; its own precede common ones."""
    reaches = [_by_version(own.artifacts), _by_version(inventory.common if own.name else ())]
    known = sorted({*reaches[0], *_by_version(inventory.common)})
    holds = f"it holds {suggest.listed(known)}" if known else "it holds none"
    for entry in given.versions:
        serving = (_serving(reach, entry) for reach in reaches)
        if several := next(filter(None, serving), None):
            if item := _one(entry, several, report):
                yield item
            continue
        served = f" for {own.name}" if own.name else ""
        text = (
            f"the artifact {entry}{served} is not in the list ({holds}): "
            f"add the SolutionDescriptorArtifact that `krm-values envgene fetch {entry} --repository DIR` prints"
        )
        tags = {"environment": own.name} if own.name else {}
        report.error("no-artifact", "97", text, tags=tags, config=("SD_VERSION",))


def _by_version(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Group artifacts by the entry of SD_VERSION that they serve."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(str(get(item.data, ("spec", "version"))), []).append(item)
    return found


def _serving(reach: dict[str, list[Item]], entry: str) -> list[Item]:
    return [item for item in reach.get(entry, ()) if get(item.data, ("spec", "version")) == entry]


def _one(entry: str, serving: list[Item], report: Report) -> Item | None:
    first = serving[0]
    for other in serving[1:]:
        if not is_exactly(get(other.data, _DESCRIPTOR), get(first.data, _DESCRIPTOR)):
            text = f"and {first.name} both serve {entry} and differ: remove one"
            report.error("artifacts-differ", "97", text, other, _DESCRIPTOR)
            return None
    if not isinstance(get(first.data, _DESCRIPTOR), dict):
        report.error("no-sd", "96", f"must be the SD of {entry}, a map", first, _DESCRIPTOR)
        return None
    return first


def _is_marked(data: JSON) -> bool:
    """Return whether an SD gives its postfixes as namespace names."""
    return get(data, ("userData", MARKER)) is True


def _folders(namespaces: Iterable[Item], report: Report) -> dict[str, str]:
    """Return the folder of each Namespace object by its name."""
    found: dict[str, list[tuple[str, Item]]] = {}
    for item in namespaces:
        name, folder = _name(item), _folder(item)
        if name:
            found.setdefault(name, []).append((folder, item))
        else:
            text = f"has no `name`, so no `deployPostfix` can refer to it{f' and its folder {folder}' if folder else ''}"
            report.warning("namespace-without-name", "77", text, item, ("spec",))
    for name, places in found.items():
        different = sorted({folder for folder, _ in places})
        if len(different) > 1:
            text = f"{name} is the name of two Namespace objects ({', '.join(different)}): give each a name of its own"
            report.error("ambiguous-namespace", "84", text, places[-1][1], ("spec", "name"))
    return {name: places[0][0] for name, places in found.items()}


def _names(namespaces: Iterable[Item]) -> dict[str, str]:
    """Return the name of each Namespace object by its folder; nothing if the folder of one of them is not known."""
    found = {_folder(item): _name(item) for item in namespaces}
    return {} if "" in found else found


def _name(item: Item) -> str:
    return text_of(_scalar(get(item.data, ("spec", "name"))))


def _folder(item: Item) -> str:
    """Return the folder field, else the directory below `Namespaces` that has the object."""
    folder = text_of(_scalar(get(item.data, ("spec", "folder"))))
    segments = item.position.path.split("/")
    return folder or (segments[-2] if segments[-3:-2] == ["Namespaces"] else "")


def _scalar(value: object) -> JSON:
    """Return a scalar; None for anything else."""
    return None if isinstance(value, (dict, list)) else value  # type: ignore[return-value]


def _translated(data: JSON, folders: dict[str, str], place: SdPlace, report: Report) -> JSON:
    """Return a copy of a marked SD with folders for names, also in the graph's default aliases, and without the marker."""
    copied: Any = data_edits.copy(data)
    renamed: dict[str, str] = {}
    others = f"; there are {', '.join(sorted(folders)[:_SHOWN])}" if folders else "; the environment has no Namespace object"
    for index, entry in enumerate(descriptors.entries(copied)):
        postfix = text_of(_scalar(entry.get("deployPostfix"))) if isinstance(entry, dict) else ""
        if not isinstance(entry, dict) or not postfix:
            if hint := near_instead_of("deployPostfix", entry, APPLICATION):  # its value would be lost
                text = f"{descriptors.label(entry)} in {place.title} has no `deployPostfix` that could be translated{hint}"
                report.add(place.error("no-namespace", "78", text, ("applications", index)))
            continue
        name = text_of(_scalar(entry.get("version"))).partition(":")[0]
        folder = folders.get(postfix, "")
        if not folder:
            fact = "is in no folder: set its `folder`" if postfix in folders else "is not the `name` of a Namespace object"
            hint = suggest.hint(postfix, folders) or others
            text = f"`deployPostfix` {postfix} of {name} in {place.title} {fact}{hint}"
            report.add(place.error("no-namespace", "78", text, ("applications", index, "deployPostfix")))
            continue
        entry["deployPostfix"] = folder
        if not entry.get("alias"):
            renamed[f"{name}:{postfix}"] = f"{name}:{folder}"
    _rename(copied, renamed)
    del copied["userData"][MARKER]
    if not copied["userData"]:
        del copied["userData"]
    return copied  # type: ignore[no-any-return]


def _rename(data: dict[str, Any], renamed: dict[str, str]) -> None:
    chunks = data.get(GRAPH)
    for chunk in chunks if isinstance(chunks, list) else ():
        apps = chunk.get("apps") if isinstance(chunk, dict) else None
        if isinstance(apps, list):
            apps[:] = [renamed.get(app, app) if isinstance(app, str) else app for app in apps]


def _unknown_postfixes(applications: Iterable[Application], known: dict[str, str]) -> Iterator[Finding]:
    """Yield a warning for each application whose postfix, as it is or as a blue-green pair, is not a folder of the environment's Namespaces.

    known: the names of the Namespaces by folder; without any there is no warning.
    """
    named, listed = frozenset(known.values()), suggest.listed(sorted(known))
    for application in applications if known else ():
        postfix = application.postfix
        if not postfix or not known.keys().isdisjoint((postfix, *(postfix + role for role in _ROLES))):
            continue
        hint = suggest.hint(postfix, known) or f"; there are {listed}"
        if postfix in named:
            hint = f": it is the name of one; set `userData.{MARKER}: true`, or write its folder"
        text = f"`deployPostfix` {postfix} of {application.name} in {application.place.title} is not the folder of a Namespace object"
        path = (*application.path, "deployPostfix")
        yield application.place.finding("warning", "unknown-postfix", "S37", text + hint, path)


def _fold(found: Sequence[Descriptor], report: Report, *, extended: bool) -> Incoming:
    """Fold SDs into one from left to right. Of several only the applications are left; in extended-merge also header and graph."""
    first, *others = found
    folded = entries(first.applications)
    if not others:
        return Incoming(tuple(folded), first.data, (first,), Sources(first.place))
    folded = _folded(folded, others, extended=extended)
    data, sources = reduced(folded), Sources(first.place)
    if extended:
        for other in others:
            for key, difference in differing_headers(first.data, other.data):
                both = f"`{key}` of {first.place.title} and of {other.place.title}"
                text = f"{both} must be equal for `extended-merge`; {difference}"
                report.add(other.place.error("header", "35", text, (key,) if key in other.data else ()))
        report.extend(shared_aliases([entry.application for entry in folded]))
        header = {key: first.data[key] for key in HEADER if key in first.data}
        united, parts = graph.united(found, report)
        data, sources = {**header, **data, **united}, Sources(first.place, parts)
    return Incoming(tuple(folded), data_edits.copy(data), tuple(found), sources)


def _folded(base: list[IncomingApplication], later: Sequence[Descriptor], *, extended: bool) -> list[IncomingApplication]:
    """Merge later SDs into the first one by the rules of basic-merge."""
    merged = [*base]
    places: dict[tuple[str, str, str], list[int]] = {}
    for place, entry in enumerate(base):
        places.setdefault(entry.application.key(extended=extended), []).append(place)
    for descriptor in later:
        incoming_by_key = {application.key(extended=extended): application for application in descriptor.applications}
        for key, application in incoming_by_key.items():
            for place in places.get(key, ()):
                merged[place] = merged[place].later(application)
            if key not in places:
                places[key] = [len(merged)]
                merged += entries([application])
    return merged
