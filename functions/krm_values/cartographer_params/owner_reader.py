"""Owners of stamped objects: Workloads, Deliverables and Runnables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.report import Report
from krm_values.cartographer_params import fields as params
from krm_values.cartographer_params.kind_names import CHAIN_OF
from krm_values.cartographer_params.typed_fields import Fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import New, Severity
    from krm_values.cartographer_params.fields import Param


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
        return {key: value for key, value in self._metadata("labels").items() if isinstance(value, str)}

    @property
    def uid(self) -> str:
        metadata = self.data.get("metadata")
        uid = metadata.get("uid") if isinstance(metadata, dict) else None
        return uid if isinstance(uid, str) else ""

    def finding(self, severity: Severity, rule: str, kind: str, text: str, path: Path = (), *, step: str = "") -> Finding:
        """Return a finding about this owner, or about one of its steps."""
        tags = {"owner": self.key, **({"step": step} if step else {})}
        return Finding(severity, kind, rule, text, self.item, path, None, tags)

    def _metadata(self, field: str) -> dict[str, JSON]:
        metadata = self.data.get("metadata")
        found = metadata.get(field) if isinstance(metadata, dict) else None
        return found if isinstance(found, dict) else {}


def owner_of(item: Item | New, report: Report, line: tuple[str, ...] = ()) -> Owner:
    """Read an owner; report everything that admission refuses in it. line: of the owner for which it was stamped."""
    own = Report()
    fields = Fields(item, own)
    data = item.data if isinstance(item.data, dict) else {}
    kind, api_version = str(data.get("kind")), str(data.get("apiVersion"))
    metadata = fields.map(("metadata",), "22")
    namespace, name = str(metadata.get("namespace") or ""), str(metadata.get("name") or "")
    fields.map(("spec",), "22")
    given = params.read(fields, ("spec", "params"), "owner") if kind in CHAIN_OF else {}
    refused = own.failed
    owner = Owner(item, kind, api_version, namespace, name, data, given, (*line, name), refused)
    report.extend(
        [Finding(f.severity, f.kind, f.rule, f.message, f.item, f.path, f.found, {"owner": owner.key}) for f in own.findings]
    )
    if not name:
        report.add(owner.finding("error", "22", "owner-name", "must have a name: stamped objects are named after it"))
    return owner
