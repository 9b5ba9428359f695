"""The chains and templates of a list: indexed for selection by labels and look-up by name, with what admission refuses in templates."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._krm import shapes
from krm_values._krm.findings import Report
from krm_values._krm.plan import Finding
from krm_values._krm.resources import previous_names, renamed_like
from krm_values.cartographer_params import tags
from krm_values.cartographer_params.chains import read_chain
from krm_values.cartographer_params.fields import Fields, read_params
from krm_values.cartographer_params.kinds import (
    ALLOWED,
    CHAIN_OF,
    EVERY,
    GROUP,
    OWNERS,
    PATHS,
    RUN_TEMPLATE,
    SERVED_STAMPED,
    TEMPLATES,
    unknown_keys,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.resources import Resources
    from krm_values.cartographer_params.chains import Chain, Step
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.fields import Param

BODY, YTT = ("spec", "template"), ("spec", "ytt")
_FIRST = 20  # chains that do not fit, as many as a note shows
_LIFECYCLES = ("mutable", "immutable", "tekton")


class Blueprints:
    """The chains of a list, sorted by name, and its templates by kind and name."""

    __slots__ = ("_names", "_renamed", "_selectors", "_templates", "chains", "unread")

    def __init__(self, chains: Iterable[Chain], templates: Iterable[Template], unread: Iterable[Item] = ()) -> None:
        self.unread = frozenset((item.kind, item.name) for item in unread)
        """Kind and name of those that cannot be read, which is an error: that others lack them is not reported."""
        self.chains = tuple(sorted(chains, key=lambda chain: (chain.kind, chain.name)))
        self._templates = {(template.kind, template.name): template for template in templates}
        self._names: dict[str, list[str]] = {}
        self._renamed: dict[tuple[str, str], dict[int, Template]] = {}
        for kind, name in self._templates:
            self._names.setdefault(kind, []).append(name)
        for template in self._templates.values():
            for name in previous_names(template.item)[1:]:
                self._renamed.setdefault((template.kind, name), {})[template.item.number] = template
        self._selectors: dict[str, SelectorIndex] = {}
        uses = Counter(label for chain in self.chains for label in _labels_of(chain))
        for place, chain in enumerate(self.chains):
            rarest = min(_labels_of(chain), key=uses.__getitem__, default=None)
            self._selectors.setdefault(chain.kind, SelectorIndex()).add(place, chain, rarest)
        for kind in CHAIN_OF.values():
            if any(kind == one for one, _ in self.unread):
                self._selectors.setdefault(kind, SelectorIndex()).is_refused = True

    @property
    def templates(self) -> tuple[Template, ...]:
        return tuple(self._templates.values())

    def selectors(self, kind: str) -> SelectorIndex:
        """Return the index of the chains of a kind."""
        return self._selectors.get(kind) or SelectorIndex()

    def template(self, kind: str, name: str, by: Item | None) -> Template | None:
        """Return the template of this kind and name; else the one that had the name before a host renamed it. by: the object that names it."""
        renamed = self._renamed.get((kind, name), {})
        if (kind, name) in self._templates or not renamed:
            return self._templates.get((kind, name))
        had = [template.item for template in renamed.values()]
        meant = renamed_like(had, by) if by else had
        return renamed[meant[0].number] if len(meant) == 1 else None

    def of_step(self, step: Step, chain: Chain) -> list[Template]:
        """Return every template of the list that a chain's step may use."""
        return [found for name in step.templates if (found := self.template(step.kind, name, chain.item))]

    def near(self, kind: str, name: str) -> str:
        """Return `; did you mean ...?` with the nearest name of a template of this kind, "" if none is near."""
        return suggest.hint(name, self._names.get(kind, ()))

    def missing(self, chain: Chain) -> list[tuple[Step, str]]:
        """Return (step, name) of each template that a chain names and the list lacks, except in steps whose kind is an error."""
        known = (step for step in chain.steps if step.kind in ALLOWED[chain.kind])
        named = ((step, name) for step in known for name in step.templates)
        return [
            (step, name)
            for step, name in named
            if not (self.template(step.kind, name, chain.item) or self.is_unread(step.kind, name))
        ]

    def is_unread(self, kind: str, name: str) -> bool:
        """Return whether the list has such a template, but it cannot be read."""
        return (kind, name) in self.unread

    def is_complete(self, chain: Chain) -> bool:
        """Return whether each step of a chain names templates or passes through, and the list has all these templates."""
        return all(
            (step.template or step.options) and all(self.template(step.kind, name, chain.item) for name in step.templates)
            for step in chain.steps
        )


class SelectorIndex:
    """The chains of one kind by a label that their owners must have.

    first: the first chains, whatever they select. count: of all chains. is_refused: whether one of them is refused.
    """

    __slots__ = ("_any", "_labelled", "count", "first", "is_refused")

    def __init__(self) -> None:
        self._any: list[tuple[int, Chain]] = []
        self._labelled: dict[tuple[str, str], list[tuple[int, Chain]]] = {}
        self.first: list[Chain] = []
        self.count, self.is_refused = 0, False

    def add(self, place: int, chain: Chain, label: tuple[str, frozenset[str]] | None) -> None:
        """Add a chain and its position among all. label: (label, allowed values) that its owners must have, None if there is none."""
        self.count += 1
        self.is_refused = self.is_refused or chain.is_refused
        if len(self.first) < _FIRST:
            self.first.append(chain)
        key, values = label or ("", ())
        for value in values:
            self._labelled.setdefault((key, value), []).append((place, chain))
        if label is None:
            self._any.append((place, chain))

    def of(self, labels: dict[str, str]) -> list[Chain]:
        """Return the chains that may fit an owner with these labels and the first of the others, sorted by name."""
        found = {place: chain for label in labels.items() for place, chain in self._labelled.get(label, ())}
        likely = [chain for _, chain in sorted({**found, **dict(self._any)}.items())]
        known = {id(chain) for chain in likely}
        others = [chain for chain in self.first if id(chain) not in known]
        return sorted([*likely, *others], key=lambda chain: chain.name)


def _labels_of(chain: Chain) -> list[tuple[str, frozenset[str]]]:
    """Return (label, allowed values) for each label that the owners of a chain must have."""
    return [(one.key, frozenset(one.values)) for one in chain.selector.labels if one.operator == "In"]


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


def read_blueprints(resources: Resources, report: Report, config: CartographerParams) -> Blueprints:
    """Read every chain and template of the list; report all their errors and warnings."""
    every = resources.select(*EVERY, group=GROUP)
    items = [item for item in every if item.data is not None]
    items.sort(key=lambda item: (item.kind, item.name, item.number))
    for item in items:
        report.extend(unknown_keys(item))
    repeats = list(_duplicates(items))
    report.extend(repeats)
    repeated = {id(finding.item) for finding in repeats}
    items = [item for item in items if id(item) not in repeated]
    return Blueprints(
        [read_chain(item, report, config) for item in items if item.kind in CHAIN_OF.values()],
        [read_template(item, report) for item in items if item.kind in (*TEMPLATES, RUN_TEMPLATE)],
        [item for item in every if item.data is None],
    )


def _duplicates(items: Sequence[Item]) -> Iterator[Finding]:
    """Yield an error for each owner, chain or template whose identity another one has."""
    first: dict[tuple[str, str, str], Item] = {}
    for item in items:
        space = item.namespace if item.kind in OWNERS else ""
        other = first.setdefault((item.kind, space, item.name), item)
        if other is not item:
            place = other.position.path or f"item {other.number}"
            text = f"is in {place} as well: run once per environment, or remove one"
            yield Finding("error", "twice", "48", text, item)


def read_template(item: Item, report: Report) -> Template:
    """Read a template; report everything that admission refuses in it."""
    own = Report()
    fields = Fields(item, own)
    body, ytt = _body(fields, item.kind)
    lifecycle = _lifecycle(fields)
    declared = read_params(fields, ("spec", "params"), "template") if item.kind != RUN_TEMPLATE else {}
    outputs = {key: fields.string(("spec", key), "101") for key in PATHS.get(item.kind, ())}
    for key, path in outputs.items():
        if not path and fields.get(("spec", key)) is None:
            text = f"has no `spec.{key}`, so the output of its steps is not known: add the path"
            fields.report("warning", "101", "output-path", (), text)
    if body:
        own.extend([*_misspelt(item, body), *tags.unclosed_tags(item, item.kind, body, BODY)])
    report.extend(own.findings)
    refused = own.failed
    tagged = tags.ytt_params(ytt) if body is None else frozenset(tags.params_of(body))
    takes = tags.ytt_takes_owner_params(ytt) if body is None else tags.takes_owner_params(body)
    almost = tags.unclosed_params(item.kind, body) if body else frozenset()
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
    field, text = shapes.fault(SERVED_STAMPED, group, version, str(body.get("kind")))
    if text:
        yield Finding("warning", shapes.MISSPELT, "S7", text, item, (*BODY, field))


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
