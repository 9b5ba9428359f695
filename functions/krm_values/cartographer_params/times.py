"""Timestamps in the form that Kubernetes writes."""

from __future__ import annotations

import re

_FRACTION = re.compile(r"\.[0-9]+")
_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})")
_UNSET = "0001-01-01T00:00:00Z"


def in_utc(written: str) -> str | None:
    """Return an RFC 3339 time in UTC and whole seconds, "" for Go's zero time, None for what is not a time."""
    if not _FORM.fullmatch(written):
        return None
    from datetime import UTC, datetime  # noqa: PLC0415 - few owners carry a time

    try:
        moment = datetime.fromisoformat(_FRACTION.sub("", written)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    found = moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(len(_UNSET), "0")
    return "" if found == _UNSET else found
