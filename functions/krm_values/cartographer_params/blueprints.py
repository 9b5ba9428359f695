"""The chains and templates of a list, read once, by what names them."""

from __future__ import annotations

from krm_values._kit import names
from krm_values._kit.plan import Finding
from krm_values.cartographer_params import chains, templates, unknown
from krm_values.cartographer_params.kinds import CHAIN_OF, EVERY, GROUP, OWNERS, RUN_TEMPLATE, TEMPLATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krm_values._kit.item import Item
    from krm_values._kit.select import Resources
    from krm_values.cartographer_params.chains import Chain
    from krm_values.cartographer_params.steps import Step
    from krm_values.cartographer_params.templates import Template


class Blueprints:
    """Chains by kind, in the order of their names, and templates by kind and name."""

    __slots__ = ("_chains", "_names", "_templates")

    def __init__(self, chains: Iterable[Chain], templates: Iterable[Template]) -> None:
        self._chains = tuple(sorted(chains, key=lambda chain: (chain.kind, chain.name)))
        self._templates = {(template.kind, template.name): template for template in templates}
        self._names: dict[str, list[str]] = {}
        for kind, name in self._templates:
            self._names.setdefault(kind, []).append(name)

    @property
    def all_chains(self) -> tuple[Chain, ...]:
        return self._chains

    @property
    def templates(self) -> tuple[Template, ...]:
        return tuple(self._templates.values())

    def chains(self, kind: str) -> list[Chain]:
        """The chains of a kind."""
        return [chain for chain in self._chains if chain.kind == kind]

    def template(self, kind: str, name: str) -> Template | None:
        """The template of this kind and name."""
        return self._templates.get((kind, name))

    def of_step(self, step: Step) -> list[Template]:
        """Every template of the list that the step may use."""
        return [found for name in step.templates if (found := self.template(step.kind, name))]

    def near(self, kind: str, name: str) -> str:
        """`; did you mean ...?` with the nearest name of a template of this kind, "" if none is near."""
        return names.hint(name, self._names.get(kind, ()))

    def missing(self, chain: Chain) -> list[tuple[Step, str]]:
        """(step, name) of each template that a chain names and the list does not have."""
        return [(step, name) for step in chain.steps for name in step.templates if not self.template(step.kind, name)]


def read(resources: Resources, findings: list[Finding]) -> Blueprints:
    """Every chain and template of the list, and everything that is wrong with them."""
    items = [item for item in resources.select(*EVERY, group=GROUP) if item.data is not None]
    items.sort(key=lambda item: (item.kind, item.name, item.number))
    for item in items:
        findings += unknown.keys(item)
    repeats = _twice(items)
    findings += repeats
    items = [item for item in items if all(item is not finding.item for finding in repeats)]
    return Blueprints(
        [chains.read(item, findings) for item in items if item.kind in CHAIN_OF.values()],
        [templates.read(item, findings) for item in items if item.kind in (*TEMPLATES, RUN_TEMPLATE)],
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
