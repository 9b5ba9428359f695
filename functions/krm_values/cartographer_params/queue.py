"""The owners of a run, realised one by one; an object that is stamped for one can be a further owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.report import Report
from krm_values.cartographer_params import collisions, runnables, unknown_keys
from krm_values.cartographer_params import lints as usage
from krm_values.cartographer_params.kind_names import GROUP, OWNERS, RUNNABLE
from krm_values.cartographer_params.owner import OwnerTypeError, typed
from krm_values.cartographer_params.owner_reader import owner_of
from krm_values.cartographer_params.places import Stamped, Stampings
from krm_values.cartographer_params.realise import realise
from krm_values.cartographer_params.resolve import chain_of
from krm_values.cartographer_params.resolved_params import report as resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._golang.jsonpath.values import GoValue
    from krm_values._kit.planner.plan import New, Note
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.realise import Realised, Setting

_DEEPEST = 5


class Queue:
    """Owners to realise.

    entries: the notes and findings so far, in order. chains: the chain of each owner by its key, None where it has none.
    realised: the owners of each chain by its label, with their steps. stampings: the stamped objects, with their templates.
    """

    __slots__ = ("_is_ended", "_made", "_owners", "_setting", "_unready", "chains", "entries", "realised", "stampings")

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._owners: dict[str, Owner] = {}
        self._unready: set[str] = set()
        self._is_ended = False
        self.stampings = Stampings()
        self._made: list[tuple[tuple[str, str, str], int, New]] = []
        self.entries: list[Finding | Note] = []
        self.chains: dict[str, Chain | None] = {}
        self.realised: dict[str, list[tuple[Owner, list[Realised]]]] = {}

    def add(self, owner: Owner) -> None:
        """Add an owner, unless one of the same kind, namespace and name is there."""
        self._owners.setdefault(owner.key, owner)

    def run(self) -> None:
        """Realise every owner, including those that are stamped in this run."""
        pending = sorted(self._owners.values(), key=lambda owner: owner.sort_key)
        for owner in pending:  # which grows meanwhile
            self.chains[owner.key] = None
            if not owner.is_refused and not self._setting.room.is_full:
                pending += self._realise(owner)

    def made(self) -> Iterator[New]:
        """Yield the stamped objects and the ResolvedParams, in order."""
        for _, _, new in sorted(self._made, key=lambda entry: entry[:2]):
            yield new

    def _realise(self, owner: Owner) -> list[Owner]:
        """Realise one owner; return the owners that were stamped for it."""
        self._check(owner)
        try:
            view = typed(owner.data)
        except OwnerTypeError as error:
            self.entries.append(owner.finding("error", "73", "owner-type", f"must be {error.wanted}", error.path))
            return []
        if owner.kind == RUNNABLE:
            return self._keep(owner, self._runs(owner, view))
        chain = chain_of(owner, view, self._setting.blueprints, self._setting.room.paths, self.entries)
        self.chains[owner.key] = chain
        if chain is None or chain.is_refused or self._is_unready(owner, chain):
            return []
        if owner.is_stamped and not self._setting.room.follow(len(chain.steps)):
            self._end(owner)
            return []
        found = Report()
        steps = realise(owner, view, chain, self._setting, found)
        self.realised.setdefault(chain.label, []).append((owner, steps))
        self.entries += found.findings
        self.entries += collisions.overrides(owner, chain, steps, self._setting.config)
        self.entries += usage.of_owner(owner, chain, steps, self._setting.config, self._setting.blueprints.hints)
        for done in steps:
            if done.made and done.template:
                self.stampings.add(Stamped(done.made, done.template, owner, done.step.name))
        news = [resolved(owner, chain, steps, is_written="params" in self._setting.config.emit)]
        news += [done.made for done in steps if done.made]
        return self._keep(owner, news)

    def _runs(self, owner: Owner, view: GoValue) -> list[New]:
        """Return the object of a Runnable, if it can be stamped."""
        template = runnables.template_of(owner, self._setting, self.entries)
        made = runnables.run(owner, view, template, self._setting, self.entries) if template else None
        if template and made:
            self.stampings.add(Stamped(made, template, owner, ""))
        return [made] if made else []

    def _end(self, owner: Owner) -> None:
        """Report once that too much is stamped."""
        if not self._is_ended:
            self.entries.append(owner.finding("error", "42", "chains", self._setting.room.ended))
        self._is_ended = True

    def _keep(self, owner: Owner, news: list[New]) -> list[Owner]:
        self._made += [(owner.sort_key, place, new) for place, new in enumerate(news)]
        return [found for new in news if (found := self._next(owner, new))]

    def _next(self, owner: Owner, new: New) -> Owner | None:
        """Return the stamped object as an owner; None if it is not an owner, is a known one, or is nested too deeply."""
        data = new.data
        if (
            not isinstance(data, dict)
            or data.get("kind") not in OWNERS
            or not str(data.get("apiVersion")).startswith(f"{GROUP}/")
        ):
            return None
        report = Report()
        found = owner_of(new, report, owner.line)
        if found.key in self._owners:
            return None
        self._owners[found.key] = found
        self.entries += [*report.findings, *unknown_keys.keys(new)]
        if len(found.line) - 1 > _DEEPEST:
            text = f"is stamped more than {_DEEPEST} owners deep: {' -> '.join(found.line)}; a chain must not stamp its own owners without end"
            self.entries.append(found.finding("error", "42", "depth", text))
            return None
        return found

    def _check(self, owner: Owner) -> None:
        if not owner.namespace:
            text = "has no namespace: the objects that are stamped for it have no namespace and an empty namespace label"
            self.entries.append(owner.finding("warning", "90", "no-namespace", text, ("metadata",)))

    def _is_unready(self, owner: Owner, chain: Chain) -> bool:
        """Return whether the chain lacks a template, so that nothing is stamped for any owner; report missing ones once."""
        if self._setting.blueprints.is_complete(chain):
            return False
        missing = [] if chain.label in self._unready else self._setting.blueprints.missing(chain)
        self._unready.add(chain.label)
        for step, name in missing:
            text = f"{step.kind} `{name}` is not in the list: the chain is not ready and stamps nothing for any owner; add it"
            text += self._setting.blueprints.near(step.kind, name)
            tags = {"owner": owner.key, "step": step.name}
            self.entries.append(
                Finding("error", "missing-template", "32", text, chain.item, (*step.path, "templateRef"), None, tags)
            )
        return True
