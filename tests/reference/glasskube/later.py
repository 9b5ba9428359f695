"""What happens to a list between its runs, and whether each run is as if it were the first one over what people wrote."""

from __future__ import annotations

import collections
import traceback
from typing import Any

from tests.reference.difference import Difference
from tests.reference.glasskube.changes import CHANGES
from tests.reference.glasskube.course import Course, Entry
from tests.reference.glasskube.dice import Dice
from tests.reference.glasskube.hands import HANDS
from tests.reference.glasskube.undo import Unclear

Json = Any
RUNS = 5


def difference(
    seed: int, items: list[Json], config: dict[str, Json], seen: collections.Counter[str] | None = None
) -> Difference | None:
    return walk(seed, Course([Entry(item) for item in items], config), collections.Counter() if seen is None else seen)


def walk(seed: int, course: Course, seen: collections.Counter[str]) -> Difference | None:
    """Run, run again, change, run, and so on; what leads to an error is mostly taken back. `seen` counts what was compared."""
    dice, done, before = Dice(seed), ["nothing"], None
    dice.random.seed(f"later {seed}")
    for _ in range(RUNS):
        try:
            found = course.difference() or course.again()
        except Unclear:
            seen["unclear"] += 1
            return None
        except Exception as error:  # noqa: BLE001 - a crash of the function is what is looked for
            found = Difference(
                "crash", "".join(traceback.format_exception(error)[-3:]), [entry.item for entry in course.entries]
            )
        if found:
            return Difference(f"{found.what} after {', then '.join(done)}", found.function, found.reference)
        outcome = "an error" if course.state and course.state.outcome.failed else "no error"
        seen.update([outcome, *(f"{name}: {outcome}" for name in done)])
        if outcome == "an error" and before is not None and dice.chance(0.7):
            course.back_to(before)
        before, done = course.copied(), []
        for _ in range(dice.pick((1, 1, 2))):
            change = dice.pick(dice.pick((CHANGES, HANDS)))
            change(dice, course)
            done.append(change.__name__.replace("_", " "))
    return None
