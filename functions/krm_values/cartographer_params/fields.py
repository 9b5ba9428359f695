"""Fields of Cartographer's objects: typed access with findings, and the params that a template, chain, step or owner sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record, replace
from krm_values._krm.plan import Finding
from krm_values.cartographer_params.kinds import OWNER_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.item import Item
    from krm_values._krm.plan import New, Severity
    from krm_values.cartographer_params.config import CartographerParams

_BARE = ".bare"
_RULES = {"blueprint": "20", "resource": "20", "template": "21", "owner": "22"}
_FIELDS = {"blueprint": ("value", "default"), "resource": ("value", "default"), "template": ("default",), "owner": ("value",)}


class Fields:
    """The fields of one resource by path. A null counts as absent. report: gets what is wrong."""

    __slots__ = ("_report", "item")

    def __init__(self, item: Item | New, report: Report) -> None:
        self.item, self._report = item, report

    def get(self, path: Path) -> JSON:
        """Return the value at `path`, or None."""
        return get(self.item.data, path)

    def map(self, path: Path, rule: str) -> dict[str, JSON]:
        """Return the map at `path`; {} if it is absent or, with an error, not a map."""
        value = self.get(path)
        if value is None or isinstance(value, dict):
            return value or {}
        self.error(rule, "shape", path, "must be a map; found {found}", value)
        return {}

    def maps(self, path: Path, rule: str) -> Iterator[Path]:
        """Yield the path of each element of the list of maps at `path`; with an error skip what is not a map."""
        value = self.get(path)
        if value is None:
            return
        if not isinstance(value, list):
            self.error(rule, "shape", path, "must be a list; found {found}", value)
            return
        for index, element in enumerate(value):
            if isinstance(element, dict):
                yield (*path, index)
            else:
                self.error(rule, "shape", (*path, index), "must be a map; found {found}", element)

    def string(self, path: Path, rule: str) -> str:
        """Return the string at `path`; "" if it is absent or, with an error, not a string."""
        value = self.get(path)
        if value is None or isinstance(value, str):
            return value or ""
        self.error(rule, "shape", path, "must be a string; found {found}", value)
        return ""

    def strings(self, path: Path, rule: str) -> tuple[str, ...]:
        """Return the list of strings at `path`; () if it is absent or, with an error, anything else."""
        value = self.get(path)
        if value is None:
            return ()
        if isinstance(value, list) and all(isinstance(element, str) for element in value):
            return tuple(map(str, value))
        self.error(rule, "shape", path, "must be a list of strings; found {found}", value)
        return ()

    def error(self, rule: str, kind: str, path: Path, text: str, found: JSON = None) -> None:
        """Add an error on the field at `path`."""
        self.report("error", rule, kind, path, text, found=found)

    def report(self, severity: Severity, rule: str, kind: str, path: Path, text: str, *, found: JSON = None) -> None:
        """Add a finding on the field at `path`. text: may hold `{found}`, which the value of `found` replaces.

        found: "" also for a field that is missing, or that `text` has reported as no string.
        """
        written = self.get(path)
        if found == "" and written not in (None, ""):
            return
        if found == "" and written is None:
            text = text.replace("{found}", "nothing")
        self._report.add(Finding(severity, kind, rule, text, self.item, path, found))


@record
class Param:
    """One layer's entry for a param.

    origin: `<layer>.<field>`; of a chain or step `value` locks the param and `default` offers it. path: of the field in `item`.
    owner_name: the owner's param that sets this one, "" if it is the one of the same name.
    """

    name: str
    origin: str
    value: JSON
    item: Item | New
    path: Path
    owner_name: str = ""

    @property
    def is_bare(self) -> bool:
        """Whether it is an entry without `value` and `default`, so that the template's default counts."""
        return self.origin.endswith(_BARE)


def read_params(fields: Fields, path: Path, layer: str, config: CartographerParams | None = None) -> dict[str, Param]:
    """Return the params of the list at `path` by name; the last of a name counts.

    layer: `blueprint` (a chain), `resource` (a step), `template` or `owner`. config: for those of chains and steps.
    """
    params: dict[str, Param] = {}
    for at in fields.maps(path, _RULES[layer]):
        param = _read(fields, at, layer, config)
        if param is None:
            continue
        if param.name in params:
            text = f"repeats the param `{param.name}`: only this last entry counts; remove the others"
            fields.report("warning", "10", "duplicate-param", at, text)
        params[param.name] = param
    return params


def _read(fields: Fields, path: Path, layer: str, config: CartographerParams | None) -> Param | None:
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
        found = _param(fields, path, layer, name, written[0])
    elif not written and config and config.precedence == "rfc0010":
        found = Param(name, f"{layer}{_BARE}", None, fields.item, (*path, "name"))
    else:
        text = _both(name, entry["value"]) if written else _missing(name, known)
        fields.error(rule, "param-fields", path, text)
        return None
    return replace(found, owner_name=_owner_name(fields, path, found, config)) if config else found


def _param(fields: Fields, path: Path, layer: str, name: str, field: str) -> Param:
    value = fields.get((*path, field))
    if value is None:
        text = f"is null: a cluster may refuse the param `{name}` or drop it; here it counts as the value null"
        fields.report("warning", "13", "null-param", (*path, field), text)
    return Param(name, f"{layer}.{field}", value, fields.item, (*path, field))


def _owner_name(fields: Fields, path: Path, param: Param, config: CartographerParams) -> str:
    """Read `workload-param-name` of an entry; "" if it is not given, not enabled or has no effect."""
    path = (*path, OWNER_NAME)
    if fields.get(path) is None:
        return ""
    if not config.workload_param_names:
        text = (
            "is not a field of Cartographer: set `workloadParamNames: true` in the functionConfig, or use its `rename` instead"
        )
        fields.error("S15", "owner-name", path, text)
        return ""
    found = fields.string(path, "S15")
    if found and not param.origin.endswith(".default"):
        beside = "without a `default`" if param.is_bare else "beside `value`"
        text = f"has no effect {beside}: the owner cannot set the param `{param.name}` here; remove it"
        fields.report("warning", "S15", "owner-name", path, text)
        return ""
    return found


def _both(name: str, value: JSON) -> str:
    text = f"sets both `value` and `default` of the param `{name}`: keep one"
    is_path = isinstance(value, str) and value.startswith("$(")
    return f"{text}; the owner's param is matched by name, and `$(...)$` is not evaluated in a chain" if is_path else text


def _missing(name: str, known: tuple[str, ...]) -> str:
    if len(known) == 1:
        return f"must have a `{known[0]}` for the param `{name}`"
    return f"must set `value` or `default` of the param `{name}` (null is neither); to leave it open, remove the entry"
