"""Graphs of names that refer to each other: their circles, and chains that are too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeVar

    Node = TypeVar("Node", str, int)


def circles(graph: Mapping[Node, frozenset[Node]]) -> list[tuple[Node, ...]]:
    """Return the nodes that lead to each other, each circle and all of them in the order of the graph."""
    numbers = {name: number for number, name in enumerate(graph)}
    parts = (sorted(part, key=numbers.__getitem__) for part in _parts(graph))
    found = (tuple(part) for part in parts if len(part) > 1 or part[0] in graph[part[0]])
    return sorted(found, key=lambda part: numbers[part[0]])


def way_round(graph: Mapping[int, frozenset[int]], circle: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shortest way from the first node of a circle back to it, both ends included."""
    start, members = circle[0], frozenset(circle)
    before: dict[int, int] = {}
    queue = [start]
    for number in queue:
        for other in sorted(graph[number] & members):
            if other not in before:
                before[other] = number
                queue.append(other)
    way = [start, before[start]]
    while way[-1] != start:
        way.append(before[way[-1]])
    return tuple(reversed(way))


def _parts(graph: Mapping[Node, frozenset[Node]]) -> Iterator[list[Node]]:
    """Yield the strongly connected components of a graph, each after those that it leads to (Tarjan's algorithm, without recursion)."""
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    open_: set[Node] = set()
    path: list[tuple[Node, int, Iterator[Node]]] = []  # with the position of the name in the stack

    def enter(name: Node) -> None:
        order[name] = low[name] = len(order)
        path.append((name, len(stack), iter(sorted(graph[name]))))
        stack.append(name)
        open_.add(name)

    for start in graph:
        if start not in order:
            enter(start)
        while path:
            name, at, others = path[-1]
            other = next(others, None)
            if other is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[name])
                if low[name] == order[name]:
                    part = stack[at:]
                    del stack[at:]
                    open_.difference_update(part)
                    yield part
            elif other not in order:
                enter(other)
            elif other in open_:
                low[name] = min(low[name], order[other])


def long_chains(graph: Mapping[str, frozenset[str]], most: int) -> Iterator[list[str]]:
    """Yield the chains of more than `most` steps of a graph without circles, except those that are part of a longer one."""
    lengths: dict[str, int] = {}
    for (name,) in _parts(graph):  # without circles, each part is one name, after all that it leads to
        lengths[name] = 1 + max((lengths[other] for other in graph[name]), default=-1)
    deep = [name for name in graph if lengths[name] > most]
    led_to = frozenset().union(*(graph[name] for name in deep))
    for name in deep:
        if name not in led_to:
            chain = [name]
            for steps_left in range(most, -1, -1):
                chain.append(next(other for other in sorted(graph[chain[-1]]) if lengths[other] >= steps_left))
            yield chain
