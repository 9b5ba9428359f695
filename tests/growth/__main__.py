"""`python -m tests.growth [--time] [WORDS...]`: the table of calls; --time: the processor's time at larger sizes, which shows copying too.

`python -m tests.growth --fields SECONDS SYSTEM...`: every list, map and string of the conformance cases of systems, grown to 600 and 2,400;
so many seconds for each system.
"""

from __future__ import annotations

import sys

from tests.growth import dimensions, fields
from tests.growth.measure import MOST, growth, ratio, seconds


def main(words: list[str]) -> None:
    if words[:1] == ["--fields"]:
        for system in words[2:]:
            fields.sweep(system, float(words[1]))
        return
    timed = "--time" in words
    words = [word for word in words if word != "--time"]
    print("| dimension | n | calls at n | at 2n | at 4n | growth |\n|---|---:|---:|---:|---:|---:|")
    for name, dimension in dimensions.ALL.items():
        if words and not any(word in name for word in words):
            continue
        if timed:
            size = dimension.n * 4
            small, middle, large = (round(seconds(dimension.make(size * factor)) * 1e6) for factor in (1, 2, 4))
            print(
                f"| {name} | {size} | {small:,} us | {middle:,} us | {large:,} us | {ratio(small, middle, large):.2f} |",
                flush=True,
            )
            continue
        found = growth(dimension)
        small, middle, large = found.calls
        mark = "" if found.ratio <= MOST else " **"
        print(f"| {name} | {dimension.n} | {small:,} | {middle:,} | {large:,} | {found.ratio:.2f}{mark} |", flush=True)
        if mark:
            print("\n".join(f"      {line}" for line in found.worst()))


if __name__ == "__main__":
    main(sys.argv[1:])
