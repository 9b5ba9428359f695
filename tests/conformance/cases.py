"""The conformance cases: how a file is read, and how one case is run through a function and judged."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonpatch

from krm_values._data.data_edits import same
from krm_values._data.errors import UnfitValueError
from krm_values._krm import config, findings, names, resourcelist
from krm_values._krm.plan import New
from krm_values._krm.resourcelist import ResourceList
from krm_values._krm.resources import Resources
from krm_values._run import invoke, registry, tools
from krm_values._run.generated import marked_by
from krm_values._run.resolve import Outcome
from krm_values._yaml import decode, emit


@dataclass(frozen=True)
class System:
    """What a case file's header says: which function runs a case, with which config, and when an error case is passed."""

    function: Callable[[dict[str, Any]], str]
    config: Callable[[dict[str, Any]], dict[str, Any]]
    judge_error: Callable[[dict[str, Any], Outcome], str]
    unmet: Callable[[dict[str, Any]], str] = lambda _: ""  # why it cannot run as a list
    judge: Callable[[dict[str, Any], State], str] | None = None
    judges_failed: bool = False  # whether the judge looks at a plan with errors as well
    programs: Callable[[dict[str, Any]], dict[str, str]] = lambda _: {}
    reads_annotations: bool = False  # whether people's own annotations are values to the function
    always: Callable[[dict[str, Any], State], str] = lambda _case, _state: ""  # why a state fails, whatever is expected
    prepare: Callable[[dict[str, Any]], dict[str, Any]] = lambda case: case  # a case of another form, as items and config
    elsewhere: Callable[[dict[str, Any]], str] | None = None  # why a case fails where it is no list, or ""
    name: Callable[[dict[str, Any]], str] = lambda _: "config"  # the name of the functionConfig


@dataclass
class State:
    """One run: what went in, what came out."""

    function: str
    inputs: list[Any]
    given: bytes
    items: list[Any]
    out: bytes
    outcome: Outcome
    programs: dict[str, str]
    config_name: str = "config"

    @functools.cached_property
    def again(self) -> tuple[ResourceList, Outcome]:
        """The same run over what it wrote."""
        return answer(self.out, self.programs)

    @property
    def tools(self) -> object:
        """What the planner was handed."""
        return tools.handed(registry.load(self.function), self.programs, {})


def read(path: Path, only: str = "") -> list[dict[str, Any]]:
    """The cases of one file, in its order, numbers with their text; or the one with an id, and LookupError without it."""
    documents = ("\n" + path.read_text(encoding="utf-8")).split("\n---\n")
    if only:
        documents = [text for text in documents if f"\nid: {only}\n" in f"\n{text}\n"]
    if not documents:
        raise LookupError(f"{path} has no case {only}")
    cases = [decode.to_data(decode.parse(text + "\n")) for text in documents if _content(text)]
    return [case for case in cases if isinstance(case, dict) and "id" in case]


def of(system: System, path: Path, only: str = "") -> list[dict[str, Any]]:
    """The cases of one file, or the one with an id, as they are run."""
    return [system.prepare(case) for case in read(path, only)]


def run(system: System, case: dict[str, Any]) -> Iterator[tuple[dict[str, Any], State]]:
    """The case's first state and every later one of `then`, each as (what is expected, what happened)."""
    state = execute(system, case, case["input"], case.get("config"))
    yield case, state
    config, called = case.get("config"), system.name(case)
    for later in case.get("then", []):
        config = later.get("config", config)
        named = {**case, "name": called, "state": later}
        called = system.name(named)
        state = execute(system, named, changed(state.items, later), config)
        yield later, state


def judge(system: System, expected: dict[str, Any], state: State) -> str:
    """Why a state is not as expected, or ""."""
    if expected.get("unchanged") and state.out.split(b"\nresults:")[0].rstrip() != state.given.rstrip():
        return "the run does not give back what it was given"
    for severity in ("error", "warning", "info"):
        if missing := words(expected.get(f"{severity}Words", []), severity, state.outcome):
            return "; ".join(missing)
    if "error" in expected:
        if not state.outcome.failed:
            return "no error"
        return system.judge_error(expected, state.outcome)
    if state.outcome.failed and not system.judges_failed:
        return "error: " + state.outcome.findings[0].message
    if system.judge is not None:
        return system.judge(expected, state)
    if "expected" in expected and not same(state.items, expected["expected"]):
        return f"items differ\n  expected {emit.flow(expected['expected'])}\n  found    {emit.flow(state.items)}"
    return ""


def words(lists: list[list[str]], severity: str, outcome: Outcome) -> list[str]:
    """The lists of words that no finding of the severity has, told."""
    told = [_told(finding) for finding in outcome.findings if finding.severity == severity]
    missing = [words for words in lists if not any(all(word.lower() in text for word in words) for text in told)]
    return [f"no {severity} has {words}: {told}" for words in missing]


def _told(finding: Any) -> str:
    result: Any = findings.as_result(finding)
    named = result.get("resourceRef", {})
    parts = [result["message"], *map(str, named.values()), result.get("field", {}).get("path", "")]
    return " ".join([*parts, result.get("file", {}).get("path", "")]).lower()


def execute(system: System, case: dict[str, Any], items: list[Any], config: dict[str, Any] | None) -> State:
    """One run of the case's function over items given as data."""
    name = system.function(case)
    spec = {**system.config(case), **(config or {})}
    given = resource_list(items, name, spec, system.name(case))
    programs = system.programs(case)
    source, outcome = answer(given, programs)
    out = b"".join(source.apply(outcome, invoke.entries(outcome)))
    return State(name, items, given, items_of(out.decode()), out, outcome, programs, system.name(case))


def items_of(text: str) -> list[Any]:
    """The items of a list that a run has written."""
    data: Any = decode.to_data(decode.parse(text), _value)
    return list(data["items"])


def _value(node: decode.Node) -> Any:
    """A scalar as resources are read; a number that JSON does not have as it was given."""
    try:
        return decode.scalar_value(node)
    except UnfitValueError:
        return float(node.value.replace(".", ""))


def answer(given: bytes, programs: dict[str, str]) -> tuple[ResourceList, Outcome]:
    """What the function that a list names makes of it. The environment names no program, whatever the caller's does."""
    source = resourcelist.read(given)
    return source, invoke.run_function("", source.function_config, source, programs=programs, environment={})[1]


def resource_list(items: list[Any], name: str, spec: dict[str, Any], called: str = "config") -> bytes:
    """A ResourceList as kpt prints one: compact lists, the functionConfig last."""
    config = {"apiVersion": names.API_VERSION, "kind": names.kind(name), "metadata": {"name": called}, "spec": spec}
    data: dict[str, Any] = {
        "apiVersion": "config.kubernetes.io/v1",
        "kind": "ResourceList",
        "items": items,
        "functionConfig": config,
    }
    return ("\n".join(emit.block(data)) + "\n").encode()


def planned(state: State) -> list[New]:
    """The objects that the plan of a state makes, written or not."""
    source = resourcelist.read(state.given)
    function = registry.load(state.function)
    value = config.read(function.form(), function.name, source.function_config)
    others = [item for item in source.items if item not in marked_by(function.writer(value), source.items)]
    return [entry for entry in function.plan(value, Resources(others), state.tools) if isinstance(entry, New)]


def changed(items: list[Any], later: dict[str, Any]) -> list[Any]:
    """The items after the `remove`, `change` and `add` of a later state, in this order."""
    gone = [_key(reference) for reference in later.get("remove", [])]
    kept = [item for item in items if _key(item) not in gone]
    for change in later.get("change", []):
        target = next(i for i, item in enumerate(kept) if _key(item) == _key(change))
        kept[target] = jsonpatch.apply_patch(kept[target], change["patch"])
    return kept + list(later.get("add", []))


def _key(item: dict[str, Any]) -> tuple[Any, Any, Any]:
    metadata = item.get("metadata", item)
    return item.get("kind"), metadata.get("namespace"), metadata.get("name")


def _content(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines())
