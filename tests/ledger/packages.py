"""Packages on which laws are tried, what is said of them, and edits of their sources as data."""

from __future__ import annotations

import base64
import json
import shutil
import tempfile
from copy import deepcopy
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.cli import stacks
from tests.cli.packages import kptfile, write
from tests.conformance.cases import of
from tests.conformance.systems import SYSTEMS
from tests.ledger import cases, invariants
from tests.restack import packages

from krm_values._data.errors import UserError
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._explain import steps
from krm_values._explain.ledger import Ledger
from krm_values._krm.item import Item
from krm_values._krm.names import API_VERSION, kind
from krm_values._run import pipeline
from krm_values._run.generated import header_of
from krm_values._yaml import decode, emit

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from krm_values._explain.model import Cell, Reference, Value

EXAMPLES = Path(__file__).parents[2] / "examples"
CASES = Path(__file__).parents[1] / "conformance"
STORIES = sorted(path.parent for path in EXAMPLES.glob("*/*/Kptfile"))
FUNCTIONS = [
    ["layered-values"],
    ["layered-values", "glasskube-values"],
    ["layered-values", "flux-values"],
    ["giantswarm-config", "layered-values"],
]
Place = tuple[str, int, Any, Any]
"""The file and index of a document, the path in it, and the path in the text there."""


def some(chance: random.Random) -> dict[str, str]:
    """The files of an example, of a package of the cases, or of a random package."""
    kind = chance.choice(["example", "case", "case", "stack", "random", "random"])
    if kind == "example":
        return files_of(chance.choice(STORIES))
    if kind == "case":
        case = chance.choice(cases.read()["cases"])
        return cases.edited(cases.read()["packages"][case["package"]], case.get("edit", []))
    if kind == "stack":
        return with_secrets(chance)
    return packages.package(chance, chance.choice(FUNCTIONS)).files()


def of_any_function(chance: random.Random) -> dict[str, str]:
    """The files of a conformance case, of whatever function, with up to two steps that write over what its step left."""
    return with_further_steps(of_conformance(chance), chance)


def of_conformance(chance: random.Random) -> dict[str, str]:
    """The input of a conformance case, as a package with one step."""
    name = chance.choice([*SYSTEMS])
    found = [case for case in _cases(name) if "error" not in case and not SYSTEMS[name].programs(case)]
    case = chance.choice(found)
    function = SYSTEMS[name].function(case)
    files = {"Kptfile": kptfile(f"exec: krm-{function}, configPath: config.yaml")}
    files["config.yaml"] = config_of(function, {**SYSTEMS[name].config(case), **(case.get("config") or {})})
    return files | {f"{number}.yaml": text_of(item) for number, item in enumerate(case["input"])}


@lru_cache
def _cases(name: str) -> list[dict[str, Any]]:
    paths = sorted(CASES.glob(f"{name}*.yaml"))
    found = [case for path in paths if path.stem in (name, f"{name}-second") for case in of(SYSTEMS[name], path)]
    return [case for case in found if not SYSTEMS[name].unmet(case)]


def config_of(function: str, spec: dict[str, Any], name: str = "config") -> str:
    """A functionConfig."""
    return text_of({"apiVersion": API_VERSION, "kind": kind(function), "metadata": {"name": name}, "spec": spec})


def with_further_steps(files: dict[str, str], chance: random.Random) -> dict[str, str]:
    """The files with up to two steps more, each of which writes over a value that the step before left, or beside it."""
    steps = [f"exec: krm-{kind_of(files)}, configPath: config.yaml"]
    for number in range(chance.randrange(3)):
        spec = _over(files, chance)
        if spec is None:
            break
        name = f"over-{number}"
        steps.append(f"exec: krm-layered-values, configPath: {name}.yaml")
        files = {**files, f"{name}.yaml": config_of("layered-values", spec, name), "Kptfile": kptfile(*steps)}
    return files


def kind_of(files: dict[str, str]) -> str:
    """The function of the first step."""
    return str(get(decode.data(files["Kptfile"]), ("pipeline", "mutators", 0, "exec"))).removeprefix("krm-")


def _over(files: dict[str, str], chance: random.Random) -> dict[str, Any] | None:
    """The spec of a layered-values config that writes over a value of a rendered package; None if there is none."""
    with tempfile.TemporaryDirectory(prefix="ledger-") as into:
        try:
            told = Told(files, Path(into) / "package")
        except UserError:
            return None
        if told.failed:
            return None
        decided = [value for value in told.values.values() if value.path[:1] == ("spec",) and value.inner is None]
        found = [value for value in decided if isinstance(value.value, (str, int)) and other(value.value) is not ABSENT]
    if not found:
        return None
    value = chance.choice(found)
    own, _, namespace, name = header_of(value.item.data)
    target = {"kind": own, "name": name, **({"namespace": namespace} if namespace else {}), "missing": "skip"}
    layers = [{"name": f"layer-{number}", "values": {"v": other(value.value)}} for number in range(chance.randrange(1, 3))]
    return {"layers": layers, "targets": [{**target, "fields": {to_field(value.path): "v"}}]}


def files_of(directory: Path) -> dict[str, str]:
    """The files of a directory."""
    found = (path for path in sorted(directory.rglob("*")) if path.is_file() and ".expected" not in path.parts)
    return {str(path.relative_to(directory)): path.read_text("utf-8") for path in found}


def with_secrets(chance: random.Random) -> dict[str, str]:
    """A release with layers of ConfigMaps and Secrets."""
    kinds = {f"layer-{number}": chance.choice(["ConfigMap", "Secret"]) for number in range(chance.randrange(1, 5))}
    spec = {"valuesFrom": [{"kind": kind, "name": name} for name, kind in kinds.items()], "values": stacks.some(chance)}
    head = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": "web", "namespace": "team"}}
    files = {f"{name}.yaml": stacks.layer(name, stacks.some(chance), kind) for name, kind in kinds.items()}
    return {"Kptfile": kptfile("exec: krm-flux-values"), "release.yaml": text_of({**head, "spec": spec}), **files}


def text_of(data: Any) -> str:
    """Data as YAML."""
    return "\n".join(emit.block(data)) + "\n"


class Told:
    """A package, what it renders to, and its values. Raises UserError for one that is refused."""

    def __init__(self, files: dict[str, str], directory: Path) -> None:
        shutil.rmtree(directory, ignore_errors=True)
        self.files, self.directory = files, write(directory, files)
        self.done = pipeline.rendered(directory, skip_foreign=False, follow_links=False)
        self.failed = self.done.failed
        self.explanation = steps.of_package(self.done)
        self.ledger = Ledger(self.explanation)

    @cached_property
    def values(self) -> dict[str, Value]:
        """All values but the authored ones, by object and place."""
        listed = self.ledger.listed(self.ledger.resources(), complete=True, authored=False)
        return {invariants.place(value, one.file): value for one in listed for value in one.values()}

    @cached_property
    def files_by_value(self) -> dict[str, str]:
        listed = self.ledger.listed(self.ledger.resources(), complete=True, authored=False)
        return {invariants.place(value, one.file): one.file for one in listed for value in one.values()}

    @cached_property
    def references(self) -> list[Reference]:
        return self.ledger.references()

    def documents(self, file: str) -> list[str]:
        """The texts of the documents of a file."""
        return [one.text for one in self.done.loaded.documents.get(file, ())]

    def source(self, file: str, index: int) -> Any:
        """A document as data."""
        found = next((one for one in self.done.loaded.documents.get(file, ()) if one.index == index), None)
        return None if found is None else decode.data(found.text)

    def edited(self, file: str, index: int, data: Any) -> dict[str, str]:
        """The files with other data in place of a document; without it if that is ABSENT."""
        texts = [
            one.text if one.index != index else text_of(data)
            for one in self.done.loaded.documents[file]
            if one.index != index or data is not ABSENT
        ]
        return {**self.files, file: "---\n".join(text if text.endswith("\n") else f"{text}\n" for text in texts)}

    @cached_property
    def objects(self) -> dict[tuple[Any, ...], Any]:
        """The rendered objects by file and name."""
        texts = ((one.path, one.text) for one in self.done.loaded.tree.documents)
        found = ((path, decode.data(text)) for path, text in texts)
        return {(path, *header_of(data)): data for path, data in found}

    def leaf(self, value: Value, file: str) -> Any:
        """What is rendered at the place of a value; ABSENT if there is nothing."""
        data = self.objects.get((file, *header_of(value.item.data)))
        return ABSENT if data is None else invariants.leaf(data, value.path, value.inner)


def place_of(cell: Cell) -> Place | None:
    """Where a cell was written; None if that is no place in a file."""
    if not isinstance(cell.item, Item) or cell.parts or not cell.item.position.path:
        return None
    return cell.item.position.path, cell.item.position.index, cell.path, cell.inner


def reach(value: Value) -> set[Place]:
    """The places from which a value is made: that of the winner and those of its parts, and those passed on the way."""
    found: set[Place] = set()
    for cell in value.cells[:1]:
        found |= _reach(cell)
    return found


def _reach(cell: Cell) -> set[Place]:
    at = place_of(cell)
    passed = [(hop.item, hop.path, hop.inner) for hop in cell.way if isinstance(hop.item, Item)]
    found = {(item.position.path, item.position.index, path, inner) for item, path, inner in passed}
    return found.union([at] if at else [], *map(_reach, cell.parts))


def meets(one: Place, other: Place) -> bool:
    """Whether a place is another one, or contains it or is in it."""
    if one[:2] != other[:2]:
        return False
    first, second = ((*at[2], *([None, *at[3]] if at[3] is not None else [])) for at in (one, other))
    size = min(len(first), len(second))
    return first[:size] == second[:size]


def put(data: Any, path: Sequence[str | int], inner: Sequence[str | int] | None, new: Any) -> Any:
    """A copy of data with another value at a place, or in the text there; without it if that is ABSENT."""
    result = deepcopy(data)
    if inner is None:
        return _put(result, list(path), new)
    text = invariants.leaf(result, tuple(path), None)
    is_base64 = path[:1] == ("data",) and result.get("kind") == "Secret"
    text = base64.b64decode(text).decode() if is_base64 else text
    text = _in_text(text, list(inner), new)
    return _put(result, list(path), base64.b64encode(text.encode()).decode() if is_base64 else text)


def _put(data: Any, path: list[str | int], new: Any) -> Any:
    if not path:
        return new
    below = data
    for number, part in enumerate(path[:-1]):
        if isinstance(below[part], str):
            below[part] = _in_text(below[part], path[number + 1 :], new)
            return data
        below = below[part]
    if new is ABSENT:
        del below[path[-1]]
    else:
        below[path[-1]] = new
    return data


def _in_text(text: str, path: list[str | int], new: Any) -> str:
    data = _put(decode.data(text), path, new)
    return json.dumps(data) if text.lstrip().startswith(("{", "[")) else text_of(data)


def other(value: Any) -> Any:
    """Another scalar of the same type; ABSENT if there is none."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return f"{value}x" if isinstance(value, str) and value and "\n" not in value else ABSENT


def at(data: Any, place: Place) -> Any:
    """What a document has at a place."""
    return get(data, place[2], ABSENT) if place[3] is None else invariants.leaf(data, place[2], place[3])
