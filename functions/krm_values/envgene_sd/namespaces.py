"""Postfixes given as namespace names, translated into the folders of the environment's Namespace objects.

Source: `build_namespace_dict` of EnvGene's `process_sd.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits, suggest
from krm_values._data.pointer import get
from krm_values._data.scalars.text import text_of
from krm_values._kit.planner.plan import Finding
from krm_values.envgene_sd import descriptors, near_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from krm_values._data.suggest import Hints
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.report import Report
    from krm_values.envgene_sd.descriptors import Application
    from krm_values.envgene_sd.place import Place

MARKER = "useDeployPostfixAsNamespace"
_SHOWN = 10
_ROLES = ("-origin", "-peer")


def is_marked(data: JSON) -> bool:
    """Return whether an SD gives its postfixes as namespace names."""
    return get(data, ("userData", MARKER)) is True


class Known:
    """The folders of an environment's Namespaces by name. others: the list of names for messages. hints: those of the run."""

    __slots__ = ("folders", "hints", "others")

    def __init__(self, folders: dict[str, str], hints: Hints) -> None:
        self.folders, self.hints = folders, hints
        listed = ", ".join(sorted(folders)[:_SHOWN])
        self.others = f"; there are {listed}" if folders else "; the environment has no Namespace object"


def folders(items: Iterable[Item], report: Report) -> dict[str, str]:
    """Return the folder of each Namespace object by its name."""
    found: dict[str, list[tuple[str, Item]]] = {}
    for item in items:
        name = text_of(_scalar(get(item.data, ("spec", "name"))))
        if name:
            found.setdefault(name, []).append((_folder(item), item))
        else:
            folder = _folder(item)
            text = f"has no `name`, so no `deployPostfix` can refer to it{f' and its folder {folder}' if folder else ''}"
            report.warning("namespace-without-name", "77", text, item, ("spec",))
    for name, places in found.items():
        different = sorted({folder for folder, _ in places})
        if len(different) > 1:
            text = f"{name} is the name of two Namespace objects ({', '.join(different)}): give each a name of its own"
            report.error("ambiguous-namespace", "84", text, places[-1][1], ("spec", "name"))
    return {name: places[0][0] for name, places in found.items()}


def translated(data: JSON, known: Known, place: Place, report: Report) -> JSON:
    """Return a copy of a marked SD with folders for names, also in the graph's default aliases, and without the marker."""
    copied: Any = data_edits.copy(data)
    renamed: dict[str, str] = {}
    for index, entry in enumerate(descriptors.entries(copied)):
        postfix = text_of(_scalar(entry.get("deployPostfix"))) if isinstance(entry, dict) else ""
        if not isinstance(entry, dict) or not postfix:
            report.extend(_untranslatable(entry, index, place))
            continue
        name = text_of(_scalar(entry.get("version"))).partition(":")[0]
        folder = known.folders.get(postfix, "")
        if not folder:
            path = ("applications", index, "deployPostfix")
            report.add(place.error("no-namespace", "78", _unknown(postfix, name, place, known), path))
            continue
        entry["deployPostfix"] = folder
        if not entry.get("alias"):
            renamed[f"{name}:{postfix}"] = f"{name}:{folder}"
    _rename(copied, renamed)
    del copied["userData"][MARKER]
    if not copied["userData"]:
        del copied["userData"]
    return copied  # type: ignore[no-any-return]


def folders_of(items: Iterable[Item]) -> dict[str, str]:
    """Return the name of each Namespace object by its folder; nothing if the folder of one of them is not known."""
    found = {_folder(item): text_of(_scalar(get(item.data, ("spec", "name")))) for item in items}
    return {} if "" in found else found


def unknown_postfixes(applications: Iterable[Application], known: dict[str, str], hints: Hints) -> Iterator[Finding]:
    """Yield a warning for each application whose postfix, as it is or as a blue-green pair, is not a folder of the environment's Namespaces.

    known: the names of the Namespaces by folder; without any there is no warning.
    """
    named, listed = frozenset(known.values()), suggest.listed(sorted(known))
    for application in applications if known else ():
        postfix = application.postfix
        if not postfix or not known.keys().isdisjoint((postfix, *(postfix + role for role in _ROLES))):
            continue
        hint = hints.hint(postfix, known) or f"; there are {listed}"
        if postfix in named:
            hint = f": it is the name of one; set `userData.{MARKER}: true`, or write its folder"
        text = f"`deployPostfix` {postfix} of {application.name} in {application.place.title} is not the folder of a Namespace object"
        path = (*application.path, "deployPostfix")
        yield application.place.finding("warning", "unknown-postfix", "S37", text + hint, path)


def _untranslatable(entry: JSON, index: int, place: Place) -> Iterator[Finding]:
    """Yield an error for an entry without a postfix that has a key near to it: its value would be lost."""
    hint = near_keys.instead_of("deployPostfix", entry, near_keys.APPLICATION)
    if hint:
        text = f"{near_keys.label(entry)} in {place.title} has no `deployPostfix` that could be translated{hint}"
        yield place.error("no-namespace", "78", text, ("applications", index))


def _rename(data: dict[str, Any], renamed: dict[str, str]) -> None:
    graph = data.get("deployGraph")
    for chunk in graph if isinstance(graph, list) else ():
        apps = chunk.get("apps") if isinstance(chunk, dict) else None
        if isinstance(apps, list):
            apps[:] = [renamed.get(app, app) if isinstance(app, str) else app for app in apps]


def _folder(item: Item) -> str:
    """Return the folder field, else the directory below `Namespaces` that has the object."""
    folder = text_of(_scalar(get(item.data, ("spec", "folder"))))
    segments = item.position.path.split("/")
    return folder or (segments[-2] if segments[-3:-2] == ["Namespaces"] else "")


def _unknown(postfix: str, name: str, place: Place, known: Known) -> str:
    hint = known.hints.hint(postfix, known.folders) or known.others
    fact = "is in no folder: set its `folder`" if postfix in known.folders else "is not the `name` of a Namespace object"
    return f"`deployPostfix` {postfix} of {name} in {place.title} {fact}{hint}"


def _scalar(value: object) -> JSON:
    """Return a scalar; None for anything else."""
    return None if isinstance(value, dict | list) else value  # type: ignore[return-value]
