"""Which names only some instances of a matrix get [34], by making each instance as Tekton does."""

from __future__ import annotations

from itertools import product

from tests.reference.tekton.fields import names_of
from tests.reference.tekton.params import dynamic
from tests.reference.tekton.values import Json, mapping, maps, shape, text


def partial(matrix: Json) -> set[str]:
    """The names that at least one instance lacks; none where that depends on a value that is not known."""
    rows = [
        {text(entry.get("name")): text(entry.get("value")) for entry in reversed(maps(row.get("params")))}
        for row in maps(mapping(matrix).get("include"))
    ]
    fans = {text(entry.get("name")): entry.get("value") for entry in reversed(maps(mapping(matrix).get("params")))}
    shared = {name for row in rows for name in row if name in fans or sum(name in other for other in rows) > 1}
    if any(name in shared and dynamic(value) for row in rows for name, value in row.items()):
        return set()
    for name in shared & fans.keys():
        if shape(fans[name]) != "array" or any(dynamic(text(value)) for value in fans[name]):
            return set()
    order = names_of(mapping(matrix).get("params"))
    sides = [
        [(name, text(value)) for value in fans[name]] if name in shared else [(name, "?")] for name in dict.fromkeys(order)
    ]
    made = [dict(side) for side in product(*sides)] if fans else []
    for one in made:
        for row in rows:
            if fans and not any(name in one and one[name] != value for name, value in row.items()):
                one.update(row)
    for row in rows:
        if not fans or (row and not any(set(row.items()) & set(one.items()) for one in made)):
            made.append(dict(row))
    every = {name for one in made for name in one}
    return {name for name in every if any(name not in one for one in made)}
