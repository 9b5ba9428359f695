"""Checks of one SD before a merge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values.envgene_sd import near_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._kit.planner.plan import Finding
    from krm_values.envgene_sd.descriptors import Application, Descriptor


_MAY_LACK_POSTFIX = "; only `extended-merge` and `replace` of one SD take it without"


def incoming(found: Descriptor, *, extended: bool, folded: bool, reported: bool = False) -> Iterator[Finding]:
    """Check an incoming SD. folded: whether only maps with a postfix are allowed, as in basic and exclusion merges and among several SDs.

    reported: whether errors of its translation are reported already; then it is not known what would be listed twice.
    """
    if folded:
        yield from _postfixes(found)
    if extended:
        yield from _models(found)
    if reported:
        return
    yield from _repeats(found, "29", extended=extended)
    yield from _versions(found, extended=extended)
    if extended:
        yield from aliases(found.applications, reported=True)


def full(found: Descriptor, *, extended: bool) -> Iterator[Finding]:
    """Check the Full SD before a merge into it."""
    if not extended:
        yield from _postfixes(found)
    yield from _repeats(found, "30", extended=extended)
    if extended:
        yield from _models(found)
        yield from aliases(found.applications)


def aliases(applications: Iterable[Application], *, reported: bool = False) -> Iterator[Finding]:
    """Check that no two applications share an effective alias. reported: whether one application in two versions is reported already."""
    first: dict[str, Application] = {}
    for application in applications:
        other = first.setdefault(application.effective_alias, application)
        is_same = other.key(extended=True) == application.key(extended=True)
        if not is_same or (other.version != application.version and not reported):
            text = (
                f'{other.title} and {application.title} of {application.place.title} share the alias "{other.effective_alias}"'
            )
            yield application.error("alias", "27", f"{text}: give one of them another `alias`")


def _postfixes(found: Descriptor) -> Iterator[Finding]:
    for application in found.applications:
        if not application.postfix:
            hint = near_keys.instead_of("deployPostfix", application.data, near_keys.APPLICATION)
            text = f"{application.text} in {found.place.title} must have a `deployPostfix`{hint or _MAY_LACK_POSTFIX}"
            yield application.error("postfix", "24", text)


def _repeats(found: Descriptor, rule: str, *, extended: bool) -> Iterator[Finding]:
    """Yield an error for each entry that equals another in version as well."""
    seen = set()
    for application in found.applications:
        key = (*application.key(extended=extended), application.version)
        if key in seen:
            text = f"{found.place.title} lists {_exactly(application)} twice: remove one"
            yield application.error("duplicate", rule, text)
        seen.add(key)


def _versions(found: Descriptor, *, extended: bool) -> Iterator[Finding]:
    """Yield an error for each application in two versions."""
    first: dict[tuple[str, str, str], Application] = {}
    for application in found.applications:
        other = first.setdefault(application.key(extended=extended), application)
        if other.version != application.version:
            text = f"{found.place.title} lists {application.title} both as {other.version} and as {application.version}: remove one"
            yield application.error("two-versions", "31", text)


def _models(found: Descriptor) -> Iterator[Finding]:
    """Yield an error for string applications beside maps."""
    other = next((one for one in found.applications if one.is_map != found.applications[0].is_map), None)
    if other:
        yield other.error(
            "model", "28", f"{found.place.title} mixes applications written as strings and as maps: write all in one form"
        )


def _exactly(application: Application) -> str:
    return f"{application.text} ({application.postfix})" if application.postfix else application.text
