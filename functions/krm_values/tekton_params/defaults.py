"""Defaults and objects of declarations: types that fit, keys that are listed, references that come to an end."""

from __future__ import annotations

from krm_values.tekton_params.params import a, shape
from krm_values.tekton_params.references import find, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from krm_values._kit.plan import Finding
    from krm_values.tekton_params.findings import Place
    from krm_values.tekton_params.layers import Scope
    from krm_values.tekton_params.params import Declaration

    Graph = Mapping[str, frozenset[str]]

DEPTH = 10


def of_declarations(place: Place, declared: Iterable[Declaration]) -> Iterator[Finding]:
    """Each declaration by itself."""
    for one in declared:
        if one.type == "object" and one.properties is None:
            text = "an object's declaration needs `properties` that list its keys; add them"
            yield place.error("45", "no-properties", one.path, one.name, text)
        elif one.type and one.has_default and shape(one.default) != one.type:
            text = f"is declared as {a(one.type)} and its default is {a(shape(one.default))}; change one of them"
            yield place.error("45", "default-type", (*one.path, "default"), one.name, text, found=one.default)


def of_references(place: Place, declared: Iterable[Declaration], given: Scope, scope: Scope) -> Iterator[Finding]:
    """The references from default to default of a pipeline, where no value stands in for a default."""
    used = [one for one in declared if one.has_default and one.name not in given]
    references = {one.name: frozenset(ref.name for text in texts(one.default) for ref in find(text)) for one in used}
    for one in used:
        for name in sorted(references[one.name]):
            if name not in scope:
                text = f"its default reads {name}, which the pipeline's params do not have"
                yield place.warning("45", "default-reads-nothing", (*one.path, "default"), one.name, text, found=one.default)
    graph = {name: frozenset(other for other in found if other in references) for name, found in references.items()}
    paths = {one.name: (*one.path, "default") for one in reversed(used)}
    circular: set[str] = set()
    for circle in _circles(graph):
        circular.update(circle)
        text = "circular default references; give one of them a default of its own"
        yield place.error("45", "circular-default", paths[circle[0]], ", ".join(circle), text)
    straight = {name: found - circular for name, found in graph.items() if name not in circular}
    for name in _deep(straight):
        text = f"default references are more than {DEPTH} deep, which Tekton refuses; shorten the chain"
        yield place.error("45", "deep-default", paths[name], name, text)


def _circles(graph: Graph) -> Iterator[tuple[str, ...]]:
    """The names that read each other, in the order of the declarations."""
    reach = {name: _reach(graph, name) for name in graph}
    done: set[str] = set()
    for name in graph:
        if name in reach[name] and name not in done:
            circle = tuple(other for other in graph if other in reach[name] and name in reach[other])
            done.update(circle)
            yield circle


def _reach(graph: Graph, start: str) -> frozenset[str]:
    found: set[str] = set()
    front = set(graph[start])
    while front:
        found |= front
        front = {other for name in front for other in graph[name]} - found
    return frozenset(found)


def _deep(graph: Graph) -> list[str]:
    """The names whose chain is too long, without those that a longer chain leads to."""
    deep = [name for name in graph if _steps(graph, name) > DEPTH]
    led_to = frozenset().union(*(graph[name] for name in deep))
    return [name for name in deep if name not in led_to]


def _steps(graph: Graph, start: str) -> int:
    """How many steps the longest chain has, counted until it is too long."""
    front, steps = frozenset((start,)), 0
    while steps <= DEPTH:
        front = frozenset().union(*(graph[name] for name in front))
        if not front:
            return steps
        steps += 1
    return steps
