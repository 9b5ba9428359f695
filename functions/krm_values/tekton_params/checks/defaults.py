"""Checks of defaults and objects in declarations: types, listed keys, circular references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values.tekton_params.params import a, first, shape
from krm_values.tekton_params.spec.references import find, strings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from krm_values._kit.planner.plan import Finding
    from krm_values.tekton_params.checks.findings import Place
    from krm_values.tekton_params.params import Declaration
    from krm_values.tekton_params.scope.known import Scope

    Graph = Mapping[str, frozenset[str]]

DEPTH = 10


def of_declarations(place: Place, declared: Iterable[Declaration]) -> Iterator[Finding]:
    """Check each declaration by itself."""
    for one in declared:
        if one.type == "object" and one.properties is None:
            text = "an object's declaration needs `properties` that list its keys; add them"
            yield place.error("45", "no-properties", one.path, one.name, text)
        elif one.type and one.has_default and shape(one.default) != one.type:
            text = f"is declared as {a(one.type)} and its default is {a(shape(one.default))}; change one of them"
            yield place.error("45", "default-type", (*one.path, "default"), one.name, text, found=one.default)


def of_references(place: Place, declared: Iterable[Declaration], given: Scope) -> Iterator[Finding]:
    """Report circles and long chains of references among the defaults that are used."""
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
        for name in dict.fromkeys(ref.name for text in strings_of(one.default) for ref in find(text)):
            if name not in scope:
                text = f"its default reads {name}, which the pipeline's params do not have"
                yield place.warning("45", "default-reads-nothing", (*one.path, "default"), one.name, text, found=one.default)


def _graph(declared: Iterable[Declaration], given: Scope) -> Graph:
    """Return which used default reads which other ones."""
    used = {one.name: one for one in declared if one.has_default and one.name not in given}
    return {
        name: frozenset(ref.name for text in strings_of(one.default) for ref in find(text) if ref.name in used)
        for name, one in used.items()
    }


def _circles(graph: Graph) -> Iterator[tuple[str, ...]]:
    """Yield the names that read each other, in the order of the declarations."""
    numbers = {name: number for number, name in enumerate(graph)}
    circles = (sorted(part, key=numbers.__getitem__) for part in _parts(graph))
    yield from sorted(
        (tuple(part) for part in circles if len(part) > 1 or part[0] in graph[part[0]]), key=lambda part: numbers[part[0]]
    )


def _parts(graph: Graph) -> Iterator[list[str]]:
    """Yield the strongly connected components of a graph, each after those that it leads to (Tarjan's algorithm, without recursion)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    open_: set[str] = set()
    for start in graph:
        path = [(start, iter(sorted(graph[start])))] if start not in order else []
        for name, _ in path:
            _enter(name, order, low, stack, open_)
        while path:
            name, others = path[-1]
            other = next(others, None)
            if other is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[name])
                if low[name] == order[name]:
                    yield _closed(name, stack, open_)
            elif other not in order:
                _enter(other, order, low, stack, open_)
                path.append((other, iter(sorted(graph[other]))))
            elif other in open_:
                low[name] = min(low[name], order[other])


def _enter(name: str, order: dict[str, int], low: dict[str, int], stack: list[str], open_: set[str]) -> None:
    order[name] = low[name] = len(order)
    stack.append(name)
    open_.add(name)


def _closed(name: str, stack: list[str], open_: set[str]) -> list[str]:
    """Take the component off the stack whose first member is a name."""
    at = len(stack) - 1
    while stack[at] != name:
        at -= 1
    part = stack[at:]
    del stack[at:]
    open_.difference_update(part)
    return part


def _deep(graph: Graph) -> Iterator[list[str]]:
    """Yield the chains that are too long, except those that are part of a longer one."""
    lengths: dict[str, int] = {}
    for (name,) in _parts(graph):
        lengths[name] = 1 + max((lengths[other] for other in graph[name]), default=-1)
    deep = [name for name in graph if lengths[name] > DEPTH]
    led_to = frozenset().union(*(graph[name] for name in deep))
    yield from (_chain(graph, lengths, name) for name in deep if name not in led_to)


def _chain(graph: Graph, lengths: Mapping[str, int], start: str) -> list[str]:
    """Return a chain of references from `start` that is one too long."""
    chain = [start]
    for left in range(DEPTH, -1, -1):
        chain.append(next(other for other in sorted(graph[chain[-1]]) if lengths[other] >= left))
    return chain
