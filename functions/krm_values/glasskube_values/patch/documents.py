"""A resource or a chart's values while targets are applied to it: its data so far, and who wrote each place."""

from __future__ import annotations

from krm_values._data.limits import DEFAULT, beyond
from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record, replace
from krm_values._kit.planner.plan import Origin
from krm_values.glasskube_values.jsonpatch import apply as patching
from krm_values.glasskube_values.jsonpatch.pointers import PatchError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.glasskube_values.jsonpatch.apply import Patched
    from krm_values.glasskube_values.patch.patches import Patch


@record
class Written:
    """A place that a target wrote, or whose value it removed: who did, and over what; stood: who said what stood there before."""

    path: Path
    origin: Origin
    over: tuple[Written, ...] = ()
    stood: tuple[Origin, ...] = ()
    removed: bool = False

    @property
    def beaten(self) -> tuple[Origin, ...]:
        """Whom it beat, nearest first; each once."""
        found: dict[int, Origin] = {id(origin): origin for origin in self.stood}
        seen: set[int] = set()
        stack = [*self.over]
        while stack:
            one = stack.pop()
            if id(one) not in seen:
                seen.add(id(one))
                found |= {id(origin): origin for origin in (one.origin, *one.stood) if id(origin) not in found}
                stack += one.over
        return tuple(found.values())


class Document:
    """Plain data and what targets make of it. `pristine` is not changed. patched: whether any patch was carried out, a `test` too."""

    __slots__ = ("_limits", "_patches", "_says", "_written", "data", "patched", "pristine")

    def __init__(self, pristine: JSON, says: Callable[[Path, JSON], Origin], limits: Limits = DEFAULT) -> None:
        self._limits = limits
        self.pristine = self.data = pristine
        self._says, self._patches = says, 0
        self._written = PathTree()
        self.patched = False

    @property
    def written(self) -> list[Written]:
        """The places, in the order in which they were written."""
        return self._written.every()

    def apply(self, patch: Patch, *, profile: str, create_parents: bool) -> Patched:
        """Carry out one patch. PatchError where it cannot be done; then nothing has changed. Its kind is `many` beyond the limit."""
        self._patches += 1
        if self._patches > self._limits.patches:
            text = f"must not have more than {self._limits.patches:,} patches, found more"
            raise PatchError("many", beyond(self._limits, "patches", text))
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
            self._shift(path, 1)
        above: list[Written] = self._written.above(path[:-1]) if path else []
        over = [*above, *self._written.below(path)]
        stood = () if done.before is ABSENT or over else (self._says(path, done.before),)  # type: ignore[arg-type]
        removed = patch.target.op == "remove"
        self._written.drop(path)
        if removed and isinstance(get(self.data, path[:-1]), list):
            self._shift(path, -1)
        self._written.add(path, Written(path, patch.origin, tuple(over), stood, removed))

    def _shift(self, at: Path, by: int) -> None:
        """Elements behind one that was inserted or removed have another index."""
        elements = get(self.data, at[:-1])
        if isinstance(elements, list) and at[-1] == len(elements) - (by < 0):  # as they were before
            return

        def moved(one: Written) -> tuple[Path, Written]:
            path = _shifted(one.path, at, by)
            return path, replace(one, path=path)

        self._written.move(at[:-1], moved)


def _shifted(path: Path, at: Path, by: int) -> Path:
    """A path after an element was inserted or removed at another."""
    level = len(at) - 1
    if len(path) <= level or path[:level] != at[:level]:
        return path
    index, limit = path[level], at[level]
    if not isinstance(index, int) or not isinstance(limit, int) or index < limit:
        return path
    return (*path[:level], index + by, *path[level + 1 :])
