"""The instances that Tekton makes of a matrix, as far as the values are written out."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from krm_values.tekton_params.params import as_text, first, may_become, type_of, values

if TYPE_CHECKING:
    from krm_values._data.values import JSON

    Instance = dict[str, str | None]  # None: a value that nothing is compared with

_MOST = 250_000  # comparisons; Tekton makes at most 256 instances


def names_some_lack(matrix: JSON) -> dict[str, Instance]:
    """Return the names that some instances do not get, each with the first of these; none where that depends on values that are not known."""
    found: dict[str, Instance] = {}
    instances = (_instances(matrix) if isinstance(matrix, dict) and isinstance(matrix.get("include"), list) else None) or ()
    left = dict.fromkeys(name for instance in instances for name in instance)
    for instance in instances:
        for name in [name for name in left if name not in instance]:
            found[name] = instance
            del left[name]
    return found


def names_some_may_lack(matrix: JSON) -> frozenset[str]:
    """Return the names that some instances may not get, because which rows of `include` fit them depends on values that are not known."""
    include = matrix.get("include") if isinstance(matrix, dict) else None
    if not isinstance(matrix, dict) or not isinstance(include, list) or _instances(matrix) is not None:
        return frozenset()
    own = frozenset(value.name for value in values(matrix.get("params"), ()))
    rows = [frozenset(value.name for value in values(row.get("params"), ())) for row in include if isinstance(row, dict)]
    return own.union(*rows) - own.intersection(*rows)


def _instances(matrix: dict[str, JSON]) -> list[Instance] | None:
    """Return the instances that Tekton makes; None if a comparison depends on a reference, or there would be too many.

    They are every combination of the params, to which each row of `include` is added where all shared names are equal. Only names that a row
    compares have texts.
    """
    include = matrix["include"]
    entries = [
        first(values(row.get("params"), ())) for row in (include if isinstance(include, list) else ()) if isinstance(row, dict)
    ]
    rows: list[Instance] = [{value.name: as_text(value.value) for value in row} for row in entries]
    in_rows = Counter(name for row in rows for name in row)
    params = first(values(matrix.get("params"), ()))
    compared = {name for name, number in in_rows.items() if number > 1}
    compared.update(value.name for value in params if value.name in in_rows)
    written: dict[str, list[str]] = {name: [] for name in compared}
    for row in rows:
        for name in row.keys() & compared:
            written[name].append(row[name] or "")
    choices: list[list[tuple[str, str | None]]] = []
    for value in params:
        members = value.value if isinstance(value.value, list) and type_of(value.value) == "array" else None
        if value.name not in compared:
            choices.append([(value.name, None)])
        elif members is None:
            return None
        else:
            choices.append([(value.name, as_text(member)) for member in members])
            written[value.name].extend(as_text(member) for member in members)
    if any(_is_open(found) for found in written.values()):
        return None
    count = prod(map(len, choices)) + len(rows)
    if count * max(in_rows.total(), 1) > _MOST:
        return None
    return _combined([dict(choice) for choice in product(*choices)], rows) if params else rows


def _is_open(written: list[str]) -> bool:
    """Return whether two of these texts are different and may be equal once their references are replaced."""
    distinct = dict.fromkeys(written)
    patterns = [found for found in distinct if "$(" in found]
    return len(patterns) * len(distinct) > _MOST or any(
        one is not other and may_become(one, other) for one in patterns for other in distinct
    )


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
