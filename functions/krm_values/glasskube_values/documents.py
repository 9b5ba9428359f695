"""A resource or a chart's values while targets are applied to it: its data so far, and who wrote each place."""

from __future__ import annotations

from krm_values._kit.plan import Origin
from krm_values._kit.pointer import ABSENT, get
from krm_values._kit.record import record
from krm_values.glasskube_values import patching
from krm_values.glasskube_values.pointers import PatchError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from krm_values._kit.data import JSON
    from krm_values._kit.pointer import Path
    from krm_values.glasskube_values.patches import Patch
    from krm_values.glasskube_values.patching import Patched


MOST = 2_000
"""Patches of one resource, or of one chart's values."""


@record
class Written:
    """A place that a target wrote, or whose value it removed: who did, and whom that beat, nearest first."""

    path: Path
    origin: Origin
    beaten: tuple[Origin, ...]
    removed: bool = False


class Document:
    """Plain data and what targets make of it. `pristine` is not changed. patched: whether any patch was carried out, a `test` too."""

    __slots__ = ("_patches", "_says", "data", "patched", "pristine", "written")

    def __init__(self, pristine: JSON, says: Callable[[Path, JSON], Origin]) -> None:
        self.pristine = self.data = pristine
        self._says, self._patches = says, 0
        self.written: list[Written] = []
        self.patched = False

    def apply(self, patch: Patch, *, profile: str, create_parents: bool) -> Patched:
        """Carry out one patch. PatchError where it cannot be done; then nothing has changed. Its kind is `many` beyond MOST."""
        self._patches += 1
        if self._patches > MOST:
            raise PatchError("many", f"more than {MOST:,} patches are too many")
        done = patching.apply(
            self.data,
            patch.target.op,
            patch.target.pointer,
            patch.value,
            profile=profile,
            create_parents=create_parents,
        )
        if done.path is not None:
            self._remember(done.path, done, patch)
        self.data, self.patched = done.data, True
        return done

    def value(self, written: Written) -> JSON:
        """What stands in the end where somebody wrote."""
        return get(self.data, written.path)  # type: ignore[return-value]

    def authored(self, path: Path) -> tuple[Origin, ...]:
        """What the author says of a place, if anything."""
        value = get(self.pristine, path, ABSENT)
        return () if value is ABSENT else (self._says(path, value),)  # type: ignore[arg-type]

    def _remember(self, path: Path, done: Patched, patch: Patch) -> None:
        if done.inserted:
            self.written = [_moved(one, path, 1) for one in self.written]
        over = [one for one in self.written if one.path[: len(path)] == path]
        above = [one for one in self.written if len(one.path) < len(path) and path[: len(one.path)] == one.path]
        beaten = [origin for one in reversed([*above, *over]) for origin in (one.origin, *one.beaten)]
        if done.before is not ABSENT and not beaten:
            beaten.append(self._says(path, done.before))  # type: ignore[arg-type]
        removed = patch.target.op == "remove"
        self.written = [one for one in self.written if one not in over]
        if removed and isinstance(get(self.data, path[:-1]), list):
            self.written = [_moved(one, path, -1) for one in self.written]
        self.written.append(Written(path, patch.origin, tuple(_distinct(beaten)), removed))


def _moved(one: Written, at: Path, by: int) -> Written:
    return Written(_shifted(one.path, at, by), one.origin, one.beaten, one.removed)


def _shifted(path: Path, at: Path, by: int) -> Path:
    """A path after an element was inserted or removed at another."""
    level = len(at) - 1
    if len(path) <= level or path[:level] != at[:level]:
        return path
    index, limit = path[level], at[level]
    if not isinstance(index, int) or not isinstance(limit, int) or index < limit:
        return path
    return (*path[:level], index + by, *path[level + 1 :])


def _distinct(origins: list[Origin]) -> list[Origin]:
    """Each once: what is said twice is said by the same object."""
    return list({id(origin): origin for origin in origins}.values())
