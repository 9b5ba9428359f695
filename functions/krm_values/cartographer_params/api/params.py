"""The params that a template, chain, step or owner sets."""

from __future__ import annotations

from krm_values._data.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import New
    from krm_values.cartographer_params.api.fields import Fields

_RULES = {"blueprint": "20", "resource": "20", "template": "21", "owner": "22"}
_FIELDS = {"blueprint": ("value", "default"), "resource": ("value", "default"), "template": ("default",), "owner": ("value",)}


@record
class Param:
    """One layer's entry for a param.

    origin: `<layer>.<field>`; of a chain or step `value` locks the param and `default` offers it. path: of the field in `item`.
    """

    name: str
    origin: str
    value: JSON
    item: Item | New
    path: Path


def read(fields: Fields, path: Path, layer: str) -> dict[str, Param]:
    """Return the params of the list at `path` by name; the last of a name counts.

    layer: `blueprint` (a chain), `resource` (a step), `template` or `owner`.
    """
    params: dict[str, Param] = {}
    for at in fields.maps(path, _RULES[layer]):
        param = _read(fields, at, layer)
        if param is None:
            continue
        if param.name in params:
            text = f"repeats the param `{param.name}`: only this last entry counts; remove the others"
            fields.report("warning", "10", "duplicate-param", at, text)
        params[param.name] = param
    return params


def _read(fields: Fields, path: Path, layer: str) -> Param | None:
    rule = _RULES[layer]
    name = fields.string((*path, "name"), rule)
    entry = fields.map(path, rule)
    if not name:
        if isinstance(entry.get("name"), str) or entry.get("name") is None:
            fields.error(rule, "param-name", path, "must have a `name`")
        return None
    known = _FIELDS[layer]
    written = [field for field in known if field in entry and (len(known) == 1 or entry[field] is not None)]
    if len(written) == 1:
        return _param(fields, path, layer, name, written[0])
    text = f"sets both `value` and `default` of the param `{name}`: keep one" if written else _missing(name, known)
    fields.error(rule, "param-fields", path, text)
    return None


def _param(fields: Fields, path: Path, layer: str, name: str, field: str) -> Param:
    value = fields.get((*path, field))
    if value is None:
        text = f"is null: a cluster may refuse the param `{name}` or drop it; here it counts as the value null"
        fields.report("warning", "13", "null-param", (*path, field), text)
    return Param(name, f"{layer}.{field}", value, fields.item, (*path, field))


def _missing(name: str, known: tuple[str, ...]) -> str:
    if len(known) == 1:
        return f"must have a `{known[0]}` for the param `{name}`"
    return f"must set `value` or `default` of the param `{name}` (null is neither); to leave it open, remove the entry"
