"""From `application:version` to the addresses at which a Maven repository may have the SD."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from krm_values._data.record import record
from krm_values._data.shown import described
from krm_values.envgene_sd.repository.faults import fault
from krm_values.envgene_sd.repository.files import is_segment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values.envgene_sd.repository.definitions import Application, Registry

_TIMESTAMP = re.compile(r"(?a)-\d{8}\.\d{6}-\d+\Z")


@record
class Entry:
    """One entry of SD_VERSION: its text, divided at the first colon."""

    text: str
    application: str
    version: str


def entry(text: str) -> Entry:
    """Parse an entry that can be fetched. FaultsError of rules 17, 18 and 92."""
    application, colon, version = text.partition(":")
    if not colon or not application or not version:
        raise fault("17", f"an artifact must be named APPLICATION:VERSION, found {described(text)}", "fetch")
    if "SNAPSHOT" in version:
        raise fault("18", f"a SNAPSHOT version is not supported for SDs, found {described(text)}; name a build", "fetch")
    if not is_segment(version):
        raise fault("92", f"a version must be one path segment, found {described(text)}", "fetch")
    return Entry(text, application, version)


def addresses(application: Application, registry: Registry, version: str) -> Iterator[str]:
    """Yield the addresses at which the SD may be, in the order of the search: repositories outside, folders inside."""
    group = "/".join(_quoted(part) for part in application.group.split("."))
    file = f"{_quoted(application.artifact)}-{_quoted(version)}.json"
    for repository in registry.repositories:
        for folder in folders(version):
            yield "/".join((registry.base, _quoted(repository), group, _quoted(application.artifact), _quoted(folder), file))


def folders(version: str) -> tuple[str, ...]:
    """Return the folders that may hold a version: for a timestamped build first that of its SNAPSHOT."""
    snapshot = _TIMESTAMP.sub("-SNAPSHOT", version)
    return (version,) if snapshot == version else (snapshot, version)


def _quoted(segment: str) -> str:
    return quote(segment, safe="")
