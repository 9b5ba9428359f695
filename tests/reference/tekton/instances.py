"""Which names only some instances of a matrix get [34], by making each instance as Tekton does."""

from __future__ import annotations

from itertools import permutations, product

from tests.reference.tekton.fields import names_of
from tests.reference.tekton.params import may_be
from tests.reference.tekton.values import Json, mapping, maps, shape, text


def partial(matrix: Json) -> set[str]:
    """The names that at least one instance lacks; none where that depends on a value that is not known."""
    rows = [
        {text(entry.get("name")): text(entry.get("value")) for entry in reversed(maps(row.get("params")))}
        for row in maps(mapping(matrix).get("include"))
    ]
    fans = {text(entry.get("name")): entry.get("value") for entry in reversed(maps(mapping(matrix).get("params")))}
    shared = {name for row in rows for name in row if name in fans or sum(name in other for other in rows) > 1}
    for name in shared:
        if name in fans and shape(fans[name]) != "array":
            return set()
        written = {row[name] for row in rows if name in row} | {text(value) for value in fans.get(name, [])}
        if any(may_be(one, other) for one, other in permutations(written, 2)):
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
