"""The instances that Tekton makes of a matrix, as far as the values are written out."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from krm_values.tekton_params.params import first, shape, text, values

if TYPE_CHECKING:
    from krm_values._data.values import JSON

    Instance = dict[str, str | None]  # None: a value that nothing is compared with

_MOST = 250_000  # comparisons; Tekton makes at most 256 instances


def lacking(matrix: JSON) -> dict[str, Instance]:
    """Return the names that some instances do not get, each with the first of these; none where that depends on values that are not known."""
    found: dict[str, Instance] = {}
    instances = _instances(matrix) if isinstance(matrix, dict) and isinstance(matrix.get("include"), list) else []
    every = dict.fromkeys(name for instance in instances for name in instance)
    for instance in instances:
        for name in every.keys() - instance.keys():
            found.setdefault(name, instance)
    return found


def _instances(matrix: dict[str, JSON]) -> list[Instance]:
    include = matrix["include"]
    entries = [
        first(values(row.get("params"), ())) for row in (include if isinstance(include, list) else ()) if isinstance(row, dict)
    ]
    rows: list[Instance] = [{value.name: text(value.value) for value in row} for row in entries]
    in_rows = [name for row in rows for name in row]
    params = first(values(matrix.get("params"), ()))
    compared = {name for name in in_rows if in_rows.count(name) > 1} if len(in_rows) < 1_000 else set(in_rows)
    compared.update(value.name for value in params if value.name in in_rows)
    if any(name in compared and "$(" in (written or "") for row in rows for name, written in row.items()):
        return []
    choices: list[list[tuple[str, str | None]]] = []
    for value in params:
        members = value.value if isinstance(value.value, list) and shape(value.value) == "array" else None
        if value.name not in compared:
            choices.append([(value.name, None)])
        elif members is None or any("$(" in text(member) for member in members):
            return []
        else:
            choices.append([(value.name, text(member)) for member in members])
    count = prod(map(len, choices)) + len(rows)
    if count * max(len(in_rows), 1) > _MOST:
        return []
    return _combined([dict(choice) for choice in product(*choices)], rows) if params else rows


def _combined(instances: list[Instance], rows: list[Instance]) -> list[Instance]:
    """Return the instances of the params, to which each row is added where it fits, and those rows that share no value with any."""
    for instance in instances:
        for row in rows:
            if all(instance[name] == written for name, written in row.items() if name in instance):
                instance.update(row)
    for row in rows:
        if row and not any(instance.get(name) == written for instance in instances for name, written in row.items()):
            instances.append(dict(row))
    return instances
