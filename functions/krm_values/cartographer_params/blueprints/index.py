"""The chains and templates of a list, read once, by what names them."""

from __future__ import annotations

from collections import Counter

from krm_values._kit.planner.plan import Finding
from krm_values.cartographer_params.api import unknown_keys
from krm_values.cartographer_params.api.kinds import ALLOWED, CHAIN_OF, EVERY, GROUP, OWNERS, RUN_TEMPLATE, TEMPLATES
from krm_values.cartographer_params.blueprints import chains, templates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krm_values._data.suggest import Hints
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.resources import Resources
    from krm_values.cartographer_params.blueprints.chains import Chain
    from krm_values.cartographer_params.blueprints.steps import Step
    from krm_values.cartographer_params.blueprints.templates import Template


_FIRST = 20  # chains that do not fit, as many as are told


def _asked(chain: Chain) -> list[tuple[str, frozenset[str]]]:
    """The labels that owners of a chain must have, with the values of which they must have one."""
    return [(one.key, frozenset(one.values)) for one in chain.selector.labels if one.operator == "In"]


class Asking:
    """Chains by a label that an owner must have for each of them. first: the first of all; count: how many; is_refused: whether one is."""

    __slots__ = ("_any", "_labelled", "count", "first", "is_refused")

    def __init__(self) -> None:
        self._any: list[tuple[int, Chain]] = []
        self._labelled: dict[tuple[str, str], list[tuple[int, Chain]]] = {}
        self.first: list[Chain] = []
        self.count, self.is_refused = 0, False

    def add(self, place: int, chain: Chain, label: tuple[str, frozenset[str]] | None) -> None:
        """A further chain and its place among all of them. label: one that its owners have, with one of these values."""
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
        """Those that may fit an owner with these labels, and the first of the others, in the order of their names."""
        found = {place: chain for label in labels.items() for place, chain in self._labelled.get(label, ())}
        likely = [chain for _, chain in sorted({**found, **dict(self._any)}.items())]
        known = {id(chain) for chain in likely}
        others = [chain for chain in self.first if id(chain) not in known]
        return sorted([*likely, *others], key=lambda chain: chain.name)


class Blueprints:
    """Chains by kind, in the order of their names, and templates by kind and name."""

    __slots__ = ("_asking", "_chains", "_names", "_templates", "hints", "unread")

    def __init__(
        self, chains: Iterable[Chain], templates: Iterable[Template], hints: Hints, unread: Iterable[Item] = ()
    ) -> None:
        self.hints = hints
        self.unread = frozenset((item.kind, item.name) for item in unread)
        """Kind and name of those that cannot be read: an error says why, so nothing is reported of what lacks them."""
        self._chains = tuple(sorted(chains, key=lambda chain: (chain.kind, chain.name)))
        self._templates = {(template.kind, template.name): template for template in templates}
        self._names: dict[str, list[str]] = {}
        for kind, name in self._templates:
            self._names.setdefault(kind, []).append(name)
        self._asking: dict[str, Asking] = {}
        uses = Counter(label for chain in self._chains for label in _asked(chain))
        for place, chain in enumerate(self._chains):
            rarest = min(_asked(chain), key=uses.__getitem__, default=None)
            self._asking.setdefault(chain.kind, Asking()).add(place, chain, rarest)
        for kind in CHAIN_OF.values():
            if any(kind == one for one, _ in self.unread):
                self._asking.setdefault(kind, Asking()).is_refused = True

    @property
    def all_chains(self) -> tuple[Chain, ...]:
        return self._chains

    @property
    def templates(self) -> tuple[Template, ...]:
        return tuple(self._templates.values())

    def asking(self, kind: str) -> Asking:
        """The chains of a kind, by what they ask for."""
        return self._asking.get(kind) or Asking()

    def template(self, kind: str, name: str) -> Template | None:
        """The template of this kind and name."""
        return self._templates.get((kind, name))

    def of_step(self, step: Step) -> list[Template]:
        """Every template of the list that the step may use."""
        return [found for name in step.templates if (found := self.template(step.kind, name))]

    def near(self, kind: str, name: str) -> str:
        """`; did you mean ...?` with the nearest name of a template of this kind, "" if none is near."""
        return self.hints.hint(name, self._names.get(kind, ()))

    def missing(self, chain: Chain) -> list[tuple[Step, str]]:
        """(step, name) of each template that a chain names and the list does not have; not of a step of a kind that is an error."""
        known = (step for step in chain.steps if step.kind in ALLOWED[chain.kind])
        named = ((step, name) for step in known for name in step.templates)
        return [(step, name) for step, name in named if not (self.template(step.kind, name) or self.is_unread(step.kind, name))]

    def is_unread(self, kind: str, name: str) -> bool:
        """Whether there is such a template, but it cannot be read."""
        return (kind, name) in self.unread

    def is_complete(self, chain: Chain) -> bool:
        """Whether each step of a chain names templates, or passes through, and all templates are there."""
        return all(
            (step.template or step.options) and all(self.template(step.kind, name) for name in step.templates)
            for step in chain.steps
        )


def read(resources: Resources, findings: list[Finding]) -> Blueprints:
    """Every chain and template of the list, and everything that is wrong with them."""
    every = resources.select(*EVERY, group=GROUP)
    items = [item for item in every if item.data is not None]
    items.sort(key=lambda item: (item.kind, item.name, item.number))
    for item in items:
        findings += unknown_keys.keys(item)
    repeats = _twice(items)
    findings += repeats
    repeated = {id(finding.item) for finding in repeats}
    items = [item for item in items if id(item) not in repeated]
    return Blueprints(
        [chains.read(item, findings, resources.hints) for item in items if item.kind in CHAIN_OF.values()],
        [templates.read(item, findings) for item in items if item.kind in (*TEMPLATES, RUN_TEMPLATE)],
        resources.hints,
        [item for item in every if item.data is None],
    )


def _twice(items: Sequence[Item]) -> list[Finding]:
    """Two owners, chains or templates of one identity."""
    first: dict[tuple[str, str, str], Item] = {}
    findings = []
    for item in items:
        space = item.namespace if item.kind in OWNERS else ""
        other = first.setdefault((item.kind, space, item.name), item)
        if other is not item:
            place = other.position.path or f"item {other.number}"
            text = f"stands in {place} as well: run once per environment, or remove one"
            findings.append(Finding("error", "twice", "48", text, item))
    return findings
