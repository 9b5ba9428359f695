"""What Cartographer does for every owner of the list: its chain is selected, its params are resolved, its objects are stamped.

Each param of a step has one value. Lowest precedence first:

    template's default  <  default of chain or step  <  owner's value  <  value of chain or step

An entry of the step replaces that of the chain, whichever of `value` and `default` the two have. With `precedence: rfc0010` the owner's
value counts only where step or chain have an entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record, replace
from krm_values._krm.findings import Report
from krm_values._krm.plan import Finding, Origin
from krm_values.cartographer_params import lints
from krm_values.cartographer_params.blueprints import BODY, YTT, read_blueprints
from krm_values.cartographer_params.kinds import GROUP, OWNERS, RUNNABLE, unknown_keys
from krm_values.cartographer_params.owner import OwnerTypeError, owner_of, typed
from krm_values.cartographer_params.paths import RunBudget
from krm_values.cartographer_params.realise import Setting, realise, realise_runnable
from krm_values.cartographer_params.resolve import chain_of
from krm_values.cartographer_params.resolved_params import resolved_params, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._go.jsonpath import GoValue
    from krm_values._krm.plan import New, Note, Plan
    from krm_values._krm.resources import Resources
    from krm_values.cartographer_params.blueprints import Template
    from krm_values.cartographer_params.chains import Chain
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.owner import Owner
    from krm_values.cartographer_params.realise import Realised
    from krm_values.cartographer_params.rendering import Renderer

_DEEPEST = 5


def plan(config: CartographerParams, resources: Resources, tools: Renderer | None) -> Plan:
    """Realise every owner of the list, and every owner that is stamped for one.

    Yields errors and warnings of chains and templates; per owner a note with each chain's score, and its findings; a note per
    param of a selected chain; then the objects, by owner (namespace, kind, name) and step, each owner's ResolvedParams first.
    """
    report = Report()
    blueprints = read_blueprints(resources, report, config)
    run = _Run(Setting(blueprints, config, tools if config.ytt else None, RunBudget(resources.limits)))
    items = resources.select(*OWNERS, group=GROUP)
    for item in sorted(items, key=lambda item: (item.namespace, item.kind, item.name)):
        if isinstance(item.data, dict):
            run.add(owner_of(item, report))
    if config.ytt and tools is None:
        text = "functionConfig `spec.ytt` needs a ytt program: name it with `--ytt` or `KRM_VALUES_YTT`, or remove the field"
        report.error("no-ytt", "80", text, config=("ytt",))
    yield from report.findings
    yield from lints.of_blueprints(blueprints, config)
    run.realise_all()
    yield from map(run.placed, run.entries)
    for chain in blueprints.chains:
        yield from table(chain, run.realised.get(chain.label, ()), literal=config.precedence == "rfc0010")
    yield from lints.unselected(blueprints, run.chains.values())
    unread = {f"{item.kind}/{item.namespace}/{item.name}" for item in items if item.data is None}
    yield from lints.unmatched(config, run.chains, blueprints, unread)
    yield from run.objects()


@record
class _Stamped:
    """A stamped object's template, for whom it was stamped, and in which step ("" of a Runnable)."""

    template: Template
    owner: Owner
    step: str


class _Run:
    """The owners of a run, realised one by one; an object that is stamped for one can be a further owner.

    entries: the notes and findings so far, in order. chains: the chain of each owner by its key, None where it has none.
    realised: the owners of each chain by its label, with their steps.
    """

    __slots__ = ("_is_ended", "_objects", "_owners", "_setting", "_stamped", "_unready", "chains", "entries", "realised")

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._owners: dict[str, Owner] = {}
        self._unready: set[str] = set()
        self._is_ended = False
        self._stamped: dict[int, _Stamped] = {}
        self._objects: list[tuple[tuple[str, str, str], int, New]] = []
        self.entries: list[Finding | Note] = []
        self.chains: dict[str, Chain | None] = {}
        self.realised: dict[str, list[tuple[Owner, list[Realised]]]] = {}

    def add(self, owner: Owner) -> None:
        """Add an owner, unless one of the same kind, namespace and name is there."""
        self._owners.setdefault(owner.key, owner)

    def realise_all(self) -> None:
        """Realise every owner, including those that are stamped in this run."""
        pending = sorted(self._owners.values(), key=lambda owner: owner.sort_key)
        for owner in pending:  # which grows meanwhile
            self.chains[owner.key] = None
            if not owner.is_refused and not self._setting.budget.is_spent:
                objects = self._realise(owner)
                self._objects += [(owner.sort_key, place, new) for place, new in enumerate(objects)]
                pending += [found for new in objects if (found := self._next(owner, new))]

    def objects(self) -> Iterator[New]:
        """Yield the stamped objects and the ResolvedParams, in order."""
        for _, _, new in sorted(self._objects, key=lambda entry: entry[:2]):
            yield new

    def placed(self, entry: Finding | Note) -> Finding | Note:
        """Return a finding about a stamped object with its place in the template, the step and the owner; else the entry itself."""
        stamped = self._stamped.get(id(entry.item)) if isinstance(entry, Finding) and entry.at is None else None
        if not stamped or not isinstance(entry, Finding):
            return entry
        path = YTT if stamped.template.body is None else (*BODY, *entry.path)
        step = f"the step `{stamped.step}`" if stamped.step else "the run template"
        text = f"{entry.message} (stamped by {step} of {stamped.owner.label})"
        return replace(entry, message=text, at=Origin("template", None, stamped.template.item, path))

    def _realise(self, owner: Owner) -> list[New]:
        """Return the objects of one owner: its ResolvedParams, and those that are stamped."""
        if not owner.namespace:
            text = "has no namespace: the objects that are stamped for it have no namespace and an empty namespace label"
            self.entries.append(owner.finding("warning", "90", "no-namespace", text, ("metadata",)))
        try:
            view = typed(owner.data)
        except OwnerTypeError as error:
            self.entries.append(owner.finding("error", "73", "owner-type", f"must be {error.wanted}", error.path))
            return []
        return self._of_runnable(owner, view) if owner.kind == RUNNABLE else self._of_chain(owner, view)

    def _of_runnable(self, owner: Owner, view: GoValue) -> list[New]:
        report = Report()
        stamped = realise_runnable(owner, view, self._setting, report)
        self.entries += report.findings
        if stamped is None:
            return []
        template, made = stamped
        self._stamped[id(made)] = _Stamped(template, owner, "")
        return [made]

    def _of_chain(self, owner: Owner, view: GoValue) -> list[New]:
        setting = self._setting
        config, blueprints = setting.config, setting.blueprints
        chain = self.chains[owner.key] = chain_of(owner, view, blueprints, setting.budget, self.entries)
        if chain is None or chain.is_refused or self._is_unready(owner, chain):
            return []
        if owner.is_stamped and (fault := setting.budget.follow(len(chain.steps))):
            if not self._is_ended:
                self.entries.append(owner.finding("error", "42", "chains", fault))
            self._is_ended = True
            return []
        report = Report()
        steps = realise(owner, view, chain, setting, report)
        self.realised.setdefault(chain.label, []).append((owner, steps))
        self.entries += report.findings
        self.entries += lints.of_owner(owner, chain, steps, config)
        for done in steps:
            if done.made and done.template:
                self._stamped[id(done.made)] = _Stamped(done.template, owner, done.step.name)
        params = resolved_params(owner, chain, steps, is_written="params" in config.emit)
        return [params, *(done.made for done in steps if done.made)]

    def _is_unready(self, owner: Owner, chain: Chain) -> bool:
        """Return whether the chain lacks a template, so that nothing is stamped for any owner; report missing ones once."""
        blueprints = self._setting.blueprints
        if blueprints.is_complete(chain):
            return False
        missing = [] if chain.label in self._unready else blueprints.missing(chain)
        self._unready.add(chain.label)
        for step, name in missing:
            text = f"{step.kind} `{name}` is not in the list: the chain is not ready and stamps nothing for any owner; add it"
            text += blueprints.near(step.kind, name)
            tags, path = {"owner": owner.key, "step": step.name}, (*step.path, "templateRef")
            self.entries.append(Finding("error", "missing-template", "32", text, chain.item, path, None, tags))
        return True

    def _next(self, owner: Owner, new: New) -> Owner | None:
        """Return the stamped object as an owner; None if it is not an owner, is a known one, or is nested too deeply."""
        data = new.data
        if not isinstance(data, dict) or data.get("kind") not in OWNERS:
            return None
        if not str(data.get("apiVersion")).startswith(f"{GROUP}/"):
            return None
        report = Report()
        found = owner_of(new, report, owner.line)
        if found.key in self._owners:
            return None
        self._owners[found.key] = found
        self.entries += [*report.findings, *unknown_keys(new)]
        if len(found.line) - 1 > _DEEPEST:
            text = f"is stamped more than {_DEEPEST} owners deep: {' -> '.join(found.line)}; a chain must not stamp its own owners without end"
            self.entries.append(found.finding("error", "42", "depth", text))
            return None
        return found
