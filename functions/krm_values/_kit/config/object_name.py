"""Names of objects in a functionConfig: the entries of `allowMissing`."""

from __future__ import annotations

from typing import Literal

from krm_values._kit.config.model import Config


class ObjectName(Config):
    """Objects that may be missing from the list."""

    kind: str
    """The kind of the object."""

    namespace: str | None = None
    """Its namespace; any if it is not given."""

    name: str
    """Its name; `*` matches any characters."""


class AllowMissing(ObjectName):
    """Objects that may be missing from the list."""

    kind: Literal["ConfigMap", "Secret"]
    """The kind of the object."""
