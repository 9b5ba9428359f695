"""Defaults and objects of declarations: types that fit, keys that are listed, references that come to an end."""

from __future__ import annotations

from krm_values.tekton_params.params import a, first, shape
from krm_values.tekton_params.references import find, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from krm_values._kit.plan import Finding
    from krm_values.tekton_params.findings import Place
    from krm_values.tekton_params.known import Scope
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


def of_references(place: Place, declared: Iterable[Declaration], given: Scope) -> Iterator[Finding]:
    """The references from default to default, where no value stands in for a default: circles and long chains."""
    graph = _graph(declared, given)
    paths = {one.name: (*one.path, "default") for one in first(declared)}
    circular: set[str] = set()
    for circle in _circles(graph):
        circular.update(circle)
        text = "circular default references; give one of them a default of its own"
        yield place.error("45", "circular-default", paths[circle[0]], ", ".join(circle), text)
    straight = {name: found - circular for name, found in graph.items() if name not in circular}
    for chain in _deep(straight):
        text = f"default references are more than {DEPTH} deep ({', '.join(chain)}), which Tekton refuses; shorten the chain"
        yield place.error("45", "deep-default", paths[chain[0]], chain[0], text)


def reading_nothing(place: Place, declared: Iterable[Declaration], given: Scope, scope: Scope) -> Iterator[Finding]:
    """Defaults of a pipeline that read a name which it does not have."""
    for one in declared:
        if not one.has_default or one.name in given:
            continue
        for name in dict.fromkeys(ref.name for text in texts(one.default) for ref in find(text)):
            if name not in scope:
                text = f"its default reads {name}, which the pipeline's params do not have"
                yield place.warning("45", "default-reads-nothing", (*one.path, "default"), one.name, text, found=one.default)


def _graph(declared: Iterable[Declaration], given: Scope) -> Graph:
    """Which default that is used reads which other one."""
    used = {one.name: one for one in declared if one.has_default and one.name not in given}
    return {
        name: frozenset(ref.name for text in texts(one.default) for ref in find(text) if ref.name in used)
        for name, one in used.items()
    }


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


def _deep(graph: Graph) -> Iterator[list[str]]:
    """The chains that are too long, but for those that are part of a longer one."""
    deep = [name for name in graph if _chain(graph, name)]
    led_to = frozenset().union(*(graph[name] for name in deep))
    yield from (_chain(graph, name) for name in deep if name not in led_to)


def _chain(graph: Graph, start: str) -> list[str]:
    """A chain of references from `start` that is just too long, or nothing."""
    chains = {start: [start]}
    for _ in range(DEPTH + 1):
        chains = {other: [*chain, other] for name, chain in chains.items() for other in sorted(graph[name])}
    return next(iter(chains.values()), [])
