"""The priorities of the fixed levels, and the range of those of extra layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values.giantswarm_config.config import GiantswarmConfig

CATALOG, BEFORE_CONFIG, CONFIG, BEFORE_USER, USER, AFTER_USER = range(6)
"""The bands of a chain, in merge order: the fixed levels, and the extra layers between and after them."""


@record
class Levels:
    """The priorities of Catalog, `config` and `userConfig`, and that of an extra layer without one."""

    catalog: int
    config: int
    user: int
    default: int

    @property
    def highest(self) -> int:
        """The highest priority of an extra layer; the lowest is one above the Catalog's."""
        return self.user + self.user - self.config

    def takes(self, priority: int) -> bool:
        """Return whether an extra layer may have this priority."""
        return self.catalog < priority <= self.highest

    def band(self, priority: int) -> int:
        """Return the band of an extra layer; one with the priority of a fixed level is merged before it."""
        return BEFORE_CONFIG if priority <= self.config else BEFORE_USER if priority <= self.user else AFTER_USER


STANDARD = Levels(0, 50, 100, 25)


def of_config(config: GiantswarmConfig) -> Levels:
    """Return the levels of a functionConfig: those of Giant Swarm's platform, unless `levels` is set."""
    given = config.levels
    if given is None:
        return STANDARD
    half = given.catalog + (given.config - given.catalog + 1) // 2
    return Levels(given.catalog, given.config, given.user_config, half if given.default is None else given.default)


def findings_of(levels: Levels) -> Iterator[Finding]:
    """Report levels that are not equally spaced in rising order, and a default out of range."""
    first, second = levels.config - levels.catalog, levels.user - levels.config
    if first != second or first <= 0:
        text = (
            f"`levels`: `catalog`, `config` and `userConfig` must rise by the same distance, found the distances {first} and {second}:"
            f" set `userConfig` to {levels.config + first}"
            if first > 0
            else f"`levels`: `config` must be above `catalog`, found the distance {first}"
        )
        yield Finding("error", "levels", "S23", text, config=("levels",))
    elif not levels.takes(levels.default):
        text = f"`levels`: `default` must be from {levels.catalog + 1} to {levels.highest}, found {levels.default}"
        yield Finding("error", "levels", "S23", text, config=("levels", "default"))
