"""Templates: their params, their body, and the paths of their outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._kit.planner import served
from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.report import Report
from krm_values.cartographer_params import fields as params
from krm_values.cartographer_params import names, unclosed, ytt_names
from krm_values.cartographer_params.kind_names import PATHS, RUN_TEMPLATE, SERVED_STAMPED
from krm_values.cartographer_params.typed_fields import Fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values.cartographer_params.fields import Param

_LIFECYCLES = ("mutable", "immutable", "tekton")
BODY, YTT = ("spec", "template"), ("spec", "ytt")


@record
class Template:
    """A template.

    body: None if it is written as `ytt`. outputs: its output paths by field. is_refused: it has an error, which has been reported.
    tagged: the params to which its tags or its ytt code refer, "" if one may refer to any. takes_owner_params: whether it may read
    `spec.params` of the owner. unclosed: the params to which text refers that would be a tag if it were closed.
    """

    item: Item
    kind: str
    name: str
    params: Mapping[str, Param]
    body: dict[str, JSON] | None
    ytt: str
    outputs: Mapping[str, str]
    lifecycle: str
    is_refused: bool
    tagged: frozenset[str] = frozenset()
    takes_owner_params: bool = False
    unclosed: frozenset[str] = frozenset()

    @property
    def known(self) -> frozenset[str]:
        """The params that it declares, or to which it refers by name."""
        return frozenset(self.params) | self.tagged - {""}

    def uses(self, param: str) -> bool:
        """Return whether it declares the param or may refer to it."""
        return param in self.params or self.refers(param)

    def refers(self, param: str) -> bool:
        """Return whether it refers to the param, or may refer to any."""
        return param in self.tagged or "" in self.tagged

    def may_mean(self, param: str) -> bool:
        """Return whether an unclosed tag refers to the param, or may refer to any. Then only the tag is reported, not an unused param."""
        return param in self.unclosed or "" in self.unclosed


def read(item: Item, report: Report) -> Template:
    """Read a template; report everything that admission refuses in it."""
    own = Report()
    fields = Fields(item, own)
    body, ytt = _body(fields, item.kind)
    lifecycle = _lifecycle(fields)
    declared = params.read(fields, ("spec", "params"), "template") if item.kind != RUN_TEMPLATE else {}
    outputs = {key: fields.string(("spec", key), "101") for key in PATHS.get(item.kind, ())}
    for key, path in outputs.items():
        if not path and fields.get(("spec", key)) is None:
            text = f"has no `spec.{key}`, so the output of its steps is not known: add the path"
            fields.report("warning", "101", "output-path", (), text)
    if body:
        own.extend([*_misspelt(item, body), *unclosed.tags(item, item.kind, body, BODY)])
    report.extend(own.findings)
    refused = own.failed
    tagged = ytt_names.params(ytt) if body is None else frozenset(names.params(body))
    takes = ytt_names.takes_owner_params(ytt) if body is None else names.takes_owner_params(body)
    almost = unclosed.params(item.kind, body) if body else frozenset()
    return Template(item, item.kind, item.name, declared, body, ytt, outputs, lifecycle, refused, tagged, takes, almost)


def _body(fields: Fields, kind: str) -> tuple[dict[str, JSON] | None, str]:
    body, ytt = fields.get(BODY), fields.string(YTT, "28") if kind != RUN_TEMPLATE else ""
    if body is not None and ytt:
        fields.error("28", "template-body", (), "sets both `spec.template` and `spec.ytt`: keep one")
    elif body is None and not ytt:
        ways = "`spec.template`" if kind == RUN_TEMPLATE else "`spec.template` or `spec.ytt`"
        fields.error("28", "template-body", (), f"must have a body: {ways}")
    elif body is not None:
        _check(fields, body)
    return body if isinstance(body, dict) else None, ytt


def _check(fields: Fields, body: JSON) -> None:
    if not isinstance(body, dict):
        fields.error("28", "template-body", BODY, "must be an object; found {found}", body)
        return
    if not body.get("kind"):
        fields.error("28", "template-body", (*BODY, "kind"), "must be given: the body is an object with a kind")
    metadata = body.get("metadata")
    if isinstance(metadata, dict) and "namespace" in metadata:
        text = "must be absent: the object is stamped in the owner's namespace"
        fields.error("28", "template-namespace", (*BODY, "metadata", "namespace"), text, metadata["namespace"])


def _misspelt(item: Item, body: dict[str, JSON]) -> Iterator[Finding]:
    """Yield a warning for a body that looks like an owner and would not be read as one."""
    group, _, version = str(body.get("apiVersion")).rpartition("/")
    field, text = served.fault(SERVED_STAMPED, group, version, str(body.get("kind")))
    if text:
        yield Finding("warning", served.MISSPELT, "S7", text, item, (*BODY, field))


def _lifecycle(fields: Fields) -> str:
    """Read `spec.lifecycle`; `mutable` is the default."""
    found = fields.string(("spec", "lifecycle"), "97")
    if found and found not in _LIFECYCLES:
        text = f"must be one of `mutable`, `immutable` and `tekton`; found {{found}}{suggest.hint(found, _LIFECYCLES)}"
        fields.error("97", "lifecycle", ("spec", "lifecycle"), text, found)
    lifecycle = found if found in _LIFECYCLES else "mutable"
    kept = fields.get(("spec", "retentionPolicy"))
    if lifecycle == "mutable" and kept is not None and fields.get(("spec", "healthRule")) is None:
        text = "must be absent with `lifecycle: mutable`, which keeps one object: remove it or change the lifecycle"
        fields.error("28", "retention", ("spec", "retentionPolicy"), text)
    return lifecycle
