"""Owners of stamped objects: Workloads, Deliverables and Runnables, and how the controller reads them through their Go types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record, replace
from krm_values._go import encoding_json
from krm_values._go.jsonpath import NIL_LIST, NIL_MAP, Nil, Opaque, Pointer, Raw, Struct
from krm_values._krm.findings import Report
from krm_values._krm.item import Item
from krm_values._krm.plan import Finding
from krm_values.cartographer_params.fields import Fields, read_params
from krm_values.cartographer_params.kinds import (
    BOOLEAN,
    CHAIN_OF,
    GO_TYPES,
    NUMBER,
    QUANTITY,
    RAW,
    STRING,
    TIME,
    ListOf,
    MapOf,
    Ptr,
    StructOf,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.jsonpath import GoValue
    from krm_values._krm.plan import New, Severity
    from krm_values.cartographer_params.fields import Param
    from krm_values.cartographer_params.kinds import GoType

_FRACTION = re.compile(r"\.[0-9]+")
_TIME_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})")
_UNSET_TIME = "0001-01-01T00:00:00Z"
_QUANTITY_FORM = re.compile(r"([+-]?)0*+([0-9]*+)(?:\.([0-9]*+))?([eEinumkKMGTP]*+[-+]?[0-9]*)")
_EXPONENT = re.compile(r"[eE][-+]?[0-9]{1,3}")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_NANO, _MOST_DIGITS, _BINARY_DIGITS, _LARGEST = 9, 18, 14, (1 << 63) - 1
_IN_TIME = frozenset(("", "Time", "wall", "ext", "loc"))
_IN_LOCATION = frozenset(("name", "zone", "tx", "extend", "cacheStart", "cacheEnd", "cacheZone"))
_IN_QUANTITY = frozenset(("", "i", "d", "s", "Format", "value", "scale", "Dec", "unscaled"))


@record
class Owner:
    """An owner, from the list or stamped in this run. line: the names of the owners for which it was stamped, its own last."""

    item: Item | New
    kind: str
    api_version: str
    namespace: str
    name: str
    data: dict[str, JSON]
    params: Mapping[str, Param]
    line: tuple[str, ...]
    is_refused: bool

    @property
    def key(self) -> str:
        """`Workload/dock/parcel`."""
        return f"{self.kind}/{self.namespace}/{self.name}"

    @property
    def label(self) -> str:
        """`Workload dock/parcel`."""
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"

    @property
    def sort_key(self) -> tuple[str, str, str]:
        """Its order among the owners: namespace, kind and name."""
        return self.namespace, self.kind, self.name

    @property
    def is_stamped(self) -> bool:
        return not isinstance(self.item, Item)

    @property
    def labels(self) -> dict[str, str]:
        """Its labels whose values are strings."""
        found = get(self.data, ("metadata", "labels"))
        return {key: value for key, value in found.items() if isinstance(value, str)} if isinstance(found, dict) else {}

    @property
    def uid(self) -> str:
        found = get(self.data, ("metadata", "uid"))
        return found if isinstance(found, str) else ""

    def finding(self, severity: Severity, rule: str, kind: str, text: str, path: Path = (), *, step: str = "") -> Finding:
        """Return a finding about this owner, or about one of its steps."""
        tags = {"owner": self.key, **({"step": step} if step else {})}
        return Finding(severity, kind, rule, text, self.item, path, None, tags)


def owner_of(item: Item | New, report: Report, line: tuple[str, ...] = ()) -> Owner:
    """Read an owner; report everything that admission refuses in it. line: of the owner for which it was stamped."""
    own = Report()
    fields = Fields(item, own)
    data = item.data if isinstance(item.data, dict) else {}
    kind, api_version = str(data.get("kind")), str(data.get("apiVersion"))
    metadata = fields.map(("metadata",), "22")
    namespace, name = str(metadata.get("namespace") or ""), str(metadata.get("name") or "")
    fields.map(("spec",), "22")
    given = read_params(fields, ("spec", "params"), "owner") if kind in CHAIN_OF else {}
    owner = Owner(item, kind, api_version, namespace, name, data, given, (*line, name), own.failed)
    report.extend(replace(finding, tags={"owner": owner.key}) for finding in own.findings)
    if not name:
        report.add(owner.finding("error", "22", "owner-name", "must have a name: stamped objects are named after it"))
    return owner


class OwnerTypeError(Exception):
    """A field of an owner that the API server refuses. path: within the owner. wanted: the type that it must have."""

    def __init__(self, path: Path, wanted: str, found: JSON) -> None:
        super().__init__(f"must be {wanted}")
        self.path, self.wanted, self.found = path, wanted, found


def typed(owner: dict[str, JSON]) -> Struct:
    """Return the typed view of a Workload, Deliverable or Runnable (rules 45, 73 and 76). Raises OwnerTypeError.

    Fields that the type lacks are dropped. Unset fields are present: null for pointers, lists and maps, "" and 0 for scalars,
    {} for structs such as `spec.build`.
    """
    return _struct(GO_TYPES[str(owner["kind"])], owner, ())


def _struct(struct: StructOf, value: JSON, path: Path) -> Struct:
    value = {} if value is None else value
    if not isinstance(value, dict):
        raise OwnerTypeError(path, "a map", value)
    inlined = _struct(struct.inlined, value, path) if struct.inlined else None
    found: dict[str, GoValue] = {**inlined.fields, "": inlined} if inlined else {}
    written: dict[str, GoValue] = dict(inlined.written) if inlined else {}
    for marked, kind in struct.names.items():
        name = marked.removesuffix("!")
        found[name] = _made(kind, value.get(name), (*path, name))
        if name != marked or not _is_empty(found[name]):
            written[name] = found[name]
    own = tuple(found[name.removesuffix("!")] for name in struct.names)
    return Struct(found, (inlined, *own) if inlined else own, written)


def _made(kind: GoType, value: JSON, path: Path) -> GoValue:
    if isinstance(kind, StructOf):
        return _struct(kind, value, path)
    if isinstance(kind, Ptr):
        made = None if value is None else _made(kind.to, value, path)
        return Pointer(made) if isinstance(made, (str, int)) else made
    if isinstance(kind, ListOf):
        return _list(kind, value, path)
    return _map(kind, value, path) if isinstance(kind, MapOf) else _SCALARS[kind](value, path)


def _list(kind: ListOf, value: JSON, path: Path) -> GoValue:
    if value is None:
        return NIL_LIST
    if not isinstance(value, list):
        raise OwnerTypeError(path, "a list", value)
    return [_made(kind.entries, entry, (*path, index)) for index, entry in enumerate(value)]


def _map(kind: MapOf, value: JSON, path: Path) -> GoValue:
    if value is None:
        return NIL_MAP
    if not isinstance(value, dict):
        raise OwnerTypeError(path, "a map", value)
    return {key: _made(kind.entries, below, (*path, key)) for key, below in value.items()}


def _string(value: JSON, path: Path) -> GoValue:
    if value is not None and not isinstance(value, str):
        raise OwnerTypeError(path, "a string", value)
    return value or ""


def _number(value: JSON, path: Path) -> GoValue:
    if isinstance(value, bool) or not isinstance(value, int | None):
        raise OwnerTypeError(path, "a whole number", value)
    return value or 0


def _boolean(value: JSON, path: Path) -> GoValue:
    if not isinstance(value, bool | None):
        raise OwnerTypeError(path, "true or false", value)
    return value or False


def _time(value: JSON, path: Path) -> GoValue:
    found = in_utc(value) if isinstance(value, str) else None
    if value is not None and found is None:
        raise OwnerTypeError(path, "a time such as 2024-05-17T09:30:00Z", value)
    return Opaque(found or None, _IN_TIME | _IN_LOCATION if found else _IN_TIME)


def _quantity(value: JSON, path: Path) -> GoValue:
    found = canonical_quantity(value)
    if found is None:
        raise OwnerTypeError(path, "a quantity such as 500m or 1Gi", value)
    return Opaque(found, _IN_QUANTITY)


def _raw(value: JSON, _: Path) -> GoValue:
    return Raw(value)


def _is_empty(value: GoValue) -> bool:
    """Return whether Go's `omitempty` leaves it out, which it never does with structs."""
    return value is None or isinstance(value, Nil) or (isinstance(value, (str, int, list, dict)) and not value)


_SCALARS: dict[str, Callable[[JSON, Path], GoValue]] = {
    STRING: _string,
    NUMBER: _number,
    BOOLEAN: _boolean,
    TIME: _time,
    QUANTITY: _quantity,
    RAW: _raw,
}


def in_utc(written: str) -> str | None:
    """Return an RFC 3339 time in UTC and whole seconds, "" for Go's zero time, None for what is not a time."""
    if not _TIME_FORM.fullmatch(written):
        return None
    from datetime import UTC, datetime  # noqa: PLC0415 - few owners carry a time

    try:
        moment = datetime.fromisoformat(_FRACTION.sub("", written)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    found = moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(len(_UNSET_TIME), "0")
    return "" if found == _UNSET_TIME else found


def canonical_quantity(value: JSON) -> str | None:
    """Return a quantity as k8s.io/apimachinery writes it (rule 76): `1024Mi` becomes `1Gi`, `0.5` becomes `500m`, null becomes "0". None if it is not a quantity."""
    if value is None:
        return "0"
    if isinstance(value, (bool, dict, list)):
        return None
    written = value.strip() if isinstance(value, str) else encoding_json.text(value)
    found = _QUANTITY_FORM.fullmatch(written)
    if not written or not found:
        return None
    sign, whole, fraction, suffix = found[1], found[2] or "0", found[3] or "", found[4]
    if suffix in _BINARY:
        return _binary(written, sign, whole, fraction, _BINARY[suffix])
    is_exponent = bool(_EXPONENT.fullmatch(suffix))
    if not is_exponent and suffix not in _DECIMAL:
        return None
    return _decimal(written, sign, whole + fraction, len(fraction), int(suffix[1:]) if is_exponent else suffix)


def _decimal(written: str, sign: str, digits: str, places: int, suffix: int | str) -> str:
    exponent = suffix if isinstance(suffix, int) else _DECIMAL[suffix]
    scale = exponent - places
    is_small = len(digits) <= _MOST_DIGITS and scale >= -_NANO
    if is_small and scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0":
        return written
    return _signed(sign, _in_thousands(int(digits), scale, is_exponent=isinstance(suffix, int)))


def _binary(written: str, sign: str, whole: str, fraction: str, bits: int) -> str:
    is_small = not fraction and len(whole) + bits * 3 // 10 <= _BINARY_DIGITS
    if is_small and int(whole) & 7 and int(whole) << bits <= _LARGEST:
        return written
    amount, scale = int(whole + fraction) << bits, -len(fraction)
    if amount > _LARGEST * 10 ** len(fraction):
        amount, scale = _LARGEST, 0
    unit = 10**-scale
    if amount < 1024 * unit or amount % unit:
        return _signed(sign, _in_thousands(amount, scale, is_exponent=False))
    amount, power = amount // unit, 0
    while amount % 1024 == 0:
        amount, power = amount // 1024, power + 10
    return _signed(sign, str(amount) + {bits: name for name, bits in _BINARY.items()}.get(power, ""))


def _signed(sign: str, amount: str) -> str:
    return amount if sign != "-" or amount == "0" else f"-{amount}"


def _in_thousands(amount: int, scale: int, *, is_exponent: bool) -> str:
    """Format amount x 10^scale with the largest exponent that is a multiple of 3; below 10^-9 it is rounded up."""
    if not amount:
        return "0"
    if scale < -_NANO:
        amount, scale = -(-amount // 10 ** (-_NANO - scale)), -_NANO
    while amount % 10 == 0:
        amount, scale = amount // 10, scale + 1
    while scale % 3:
        amount, scale = amount * 10, scale - 1
    if is_exponent:
        return f"{amount}e{scale}" if scale else str(amount)
    return str(amount) + {power: name for name, power in _DECIMAL.items()}.get(scale, "")
