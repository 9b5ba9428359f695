"""The chains and templates of a list, indexed for selection by labels and look-up by name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Finding
from krm_values.cartographer_params import chain as chains
from krm_values.cartographer_params import templates, unknown_keys
from krm_values.cartographer_params.kind_names import ALLOWED, CHAIN_OF, EVERY, GROUP, OWNERS, RUN_TEMPLATE, TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krm_values._data.suggest import Hints
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.report import Report
    from krm_values._kit.planner.resources import Resources
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.chains import Step
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.templates import Template


_FIRST = 20  # chains that do not fit, as many as a note shows


def _labels_of(chain: Chain) -> list[tuple[str, frozenset[str]]]:
    """Return (label, allowed values) for each label that the owners of a chain must have."""
    return [(one.key, frozenset(one.values)) for one in chain.selector.labels if one.operator == "In"]


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


class Blueprints:
    """The chains of a list, sorted by name, and its templates by kind and name."""

    __slots__ = ("_chains", "_names", "_selectors", "_templates", "hints", "unread")

    def __init__(
        self, chains: Iterable[Chain], templates: Iterable[Template], hints: Hints, unread: Iterable[Item] = ()
    ) -> None:
        self.hints = hints
        self.unread = frozenset((item.kind, item.name) for item in unread)
        """Kind and name of those that cannot be read, which is an error: that others lack them is not reported."""
        self._chains = tuple(sorted(chains, key=lambda chain: (chain.kind, chain.name)))
        self._templates = {(template.kind, template.name): template for template in templates}
        self._names: dict[str, list[str]] = {}
        for kind, name in self._templates:
            self._names.setdefault(kind, []).append(name)
        self._selectors: dict[str, SelectorIndex] = {}
        uses = Counter(label for chain in self._chains for label in _labels_of(chain))
        for place, chain in enumerate(self._chains):
            rarest = min(_labels_of(chain), key=uses.__getitem__, default=None)
            self._selectors.setdefault(chain.kind, SelectorIndex()).add(place, chain, rarest)
        for kind in CHAIN_OF.values():
            if any(kind == one for one, _ in self.unread):
                self._selectors.setdefault(kind, SelectorIndex()).is_refused = True

    @property
    def all_chains(self) -> tuple[Chain, ...]:
        return self._chains

    @property
    def templates(self) -> tuple[Template, ...]:
        return tuple(self._templates.values())

    def selectors(self, kind: str) -> SelectorIndex:
        """Return the index of the chains of a kind."""
        return self._selectors.get(kind) or SelectorIndex()

    def template(self, kind: str, name: str) -> Template | None:
        """Return the template of this kind and name."""
        return self._templates.get((kind, name))

    def of_step(self, step: Step) -> list[Template]:
        """Return every template of the list that the step may use."""
        return [found for name in step.templates if (found := self.template(step.kind, name))]

    def near(self, kind: str, name: str) -> str:
        """Return `; did you mean ...?` with the nearest name of a template of this kind, "" if none is near."""
        return self.hints.hint(name, self._names.get(kind, ()))

    def missing(self, chain: Chain) -> list[tuple[Step, str]]:
        """Return (step, name) of each template that a chain names and the list lacks, except in steps whose kind is an error."""
        known = (step for step in chain.steps if step.kind in ALLOWED[chain.kind])
        named = ((step, name) for step in known for name in step.templates)
        return [(step, name) for step, name in named if not (self.template(step.kind, name) or self.is_unread(step.kind, name))]

    def is_unread(self, kind: str, name: str) -> bool:
        """Return whether the list has such a template, but it cannot be read."""
        return (kind, name) in self.unread

    def is_complete(self, chain: Chain) -> bool:
        """Return whether each step of a chain names templates or passes through, and the list has all these templates."""
        return all(
            (step.template or step.options) and all(self.template(step.kind, name) for name in step.templates)
            for step in chain.steps
        )


def read(resources: Resources, report: Report, config: CartographerParams) -> Blueprints:
    """Read every chain and template of the list; report all their errors and warnings."""
    every = resources.select(*EVERY, group=GROUP)
    items = [item for item in every if item.data is not None]
    items.sort(key=lambda item: (item.kind, item.name, item.number))
    for item in items:
        report.extend(unknown_keys.keys(item))
    repeats = list(_duplicates(items))
    report.extend(repeats)
    repeated = {id(finding.item) for finding in repeats}
    items = [item for item in items if id(item) not in repeated]
    return Blueprints(
        [chains.read(item, report, resources.hints, config) for item in items if item.kind in CHAIN_OF.values()],
        [templates.read(item, report) for item in items if item.kind in (*TEMPLATES, RUN_TEMPLATE)],
        resources.hints,
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
