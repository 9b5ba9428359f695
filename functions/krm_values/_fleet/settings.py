"""The fields of `.krm-fleet.yaml`, at a root of a fleet."""

from __future__ import annotations

from krm_values._krm.model import Config, Field


class Matrix(Config):
    """The parts of a package's name, from 1, that span the matrix of a page."""

    rows: int = Field(1, ge=1)
    """The part that names the row."""

    columns: int = Field(2, ge=1)
    """The part that names the column."""


class FleetSettings(Config):
    """The packages of a fleet, and how long each may take."""

    roots: list[str] = Field([])
    """Directories below this one in which the packages are; if not given, this one."""

    exclude: list[str] = Field([])
    """Patterns of names that do not belong to the fleet."""

    timeout: int = Field(0, ge=0)
    """Seconds that each package may take; 0: any time."""

    matrix: Matrix | None = None
    """The matrix of a page; if not given, the first part of the names by the second."""
