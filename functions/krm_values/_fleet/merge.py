"""`krm-values fleet merge`: verifies the bundles of all shards, and only then commits them; one report for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputsError, UserError
from krm_values._data.shown import printable
from krm_values._fleet import bundle as bundles
from krm_values._fleet import inputs, render, roots, state
from krm_values._fleet.results import Results
from krm_values._fleet.task import Settings, changes_of, key_of
from krm_values._run import registry
from krm_values._run.planned import Manner
from krm_values._run.terminal import progress

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence

    from krm_values._fleet.bundle import Bundle
    from krm_values._fleet.render import Stop
    from krm_values._fleet.roots import Member
    from krm_values._fleet.worker import Answer

_SHOWN = 20


def run(options: Namespace) -> int:
    """Merge as the options say and return the exit code. InputError, with nothing written, for bundles that do not fit the fleet."""
    state.check(options)
    version = registry.version()
    found = bundles.in_order([bundles.read(file, version, options.limits) for file in options.bundles])
    head = found[0].head
    members = roots.find([options.root], head.select, options.limits).members
    bundles.refuse_foreign(found, members)
    known, key = state.remembered(options)
    settings = Settings(Manner(limits=options.limits), facts=head.facts, key=key)
    rows = [row for bundle in found for row in bundle.rows]
    with progress("verifying", len(members), unit="packages") as advance:
        _refuse_older(found, members, rows, settings, advance)
    options.diff, stop = False, render.Stop()
    with Results(members) as outcome, render.interruptible(stop):
        with progress("writing", len(members), unit="packages") as advance:
            render.commit_all(outcome, settings, lambda numbers: _answers(numbers, rows, stop), stop, advance=advance)
        if key is not None:
            state.write(options.state, known, outcome, whole=not head.select)
        return render.report(outcome, options, stop)


def _answers(numbers: Sequence[int], rows: Sequence[Answer], stop: Stop) -> Iterator[tuple[int, Answer]]:
    for index, number in enumerate(numbers):
        if stop():
            return
        yield index, rows[number]


def _refuse_older(
    found: Sequence[Bundle], members: Sequence[Member], rows: Sequence[Answer], settings: Settings, advance: Callable[[], None]
) -> None:
    """Raise InputsError for packages that are not what was planned any more, unless an earlier merge has written them."""
    files = [bundle.file for bundle in found for _ in bundle.rows]
    older = []
    for member, row, file in zip(members, rows, files, strict=True):
        try:
            listing = inputs.listing(member.directory, settings.manner.limits)
        except (UserError, OSError):
            listing = {}
        here = inputs.digest(listing)
        if row["basis"] not in ("", here):
            if here != row["after"] or row["status"] != "changed":
                text = f"{printable(file)}: is older than the package {printable(member.name)}: render this shard again"
                older.append(text)
                continue
            row["written"] = True
        if settings.key is not None and row["lasts"]:
            new = listing if row.get("written") else inputs.after(listing, changes_of(row))
            row["key"] = key_of(member.name, new, settings)
        advance()
    if older:
        more = [f"and {len(older) - _SHOWN} packages more"] if len(older) > _SHOWN else []
        raise InputsError([*older[:_SHOWN], *more, "nothing was written"])
