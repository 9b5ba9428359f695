"""python -m tests.readings [tekton|glasskube] --count N --seed S [--mode MODE]: compare a function with its second reading on random packages."""

from __future__ import annotations

import argparse
import collections
import sys

from krm_values._yaml import emit
from tests.readings import compare, generate, glasskube_compare, glasskube_course, glasskube_later, glasskube_made

GLASSKUBE = ("first", "later")
SEEN: collections.Counter[str] = collections.Counter()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.readings", description=__doc__)
    parser.add_argument("system", nargs="?", choices=("tekton", "glasskube"), default="tekton")
    parser.add_argument("--count", type=int, default=1000, help="packages per mode")
    parser.add_argument("--seed", type=int, default=0, help="the first package's seed")
    parser.add_argument(
        "--mode", choices=[*generate.MODES, *GLASSKUBE], action="append", help="one mode, may be repeated (default: all)"
    )
    parser.add_argument("--most", type=int, default=5, help="stop after so many differences")
    parser.add_argument("--warnings", action="store_true", help="compare warnings, too")
    parser.add_argument("--skip", action="append", default=[], help="pass over differences whose answers contain this text")
    arguments = parser.parse_args()
    different = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        if arguments.system == "glasskube":
            different += any(report_glasskube(seed, mode) for mode in arguments.mode or GLASSKUBE)
        else:
            items = generate.package(seed)
            modes = arguments.mode or list(generate.MODES)
            different += any(report(seed, mode, items, arguments) for mode in modes)
        if different >= arguments.most:
            return 1
    print(*(f"{count:7} {what}" for what, count in sorted(SEEN.items())), sep="\n")
    print(f"{arguments.count} packages, {different} differences")
    return int(different > 0)


def report(seed: int, mode: str, items: list[dict[str, object]], arguments: argparse.Namespace) -> bool:
    """Print the difference of one package in one mode, shrunk; whether there is one."""
    config = generate.MODES[mode]
    found = compare.difference(items, config, warnings=arguments.warnings)
    if found is None:
        return False
    small = compare.shrunk(items, config, found.what, warnings=arguments.warnings)
    found = compare.difference(small, config, warnings=arguments.warnings) or found
    if any(text in f"{found}" for text in arguments.skip):
        return False
    print(f"=== seed {seed}, {mode}: {found.what}")
    print("\n---\n".join("\n".join(emit.block(item)) for item in small))  # type: ignore[arg-type]
    show(found)
    return True


def report_glasskube(seed: int, mode: str) -> bool:
    """Print the difference of one list, or of its later states, with its items and config; whether there is one."""
    items, config = glasskube_made.case(seed)
    if mode == "later":
        course = glasskube_course.Course([glasskube_course.Entry(item) for item in items], config)
        found = glasskube_later.walk(seed, course, SEEN)
        items = course.state.inputs if course.state else items
    else:
        found = glasskube_compare.difference(items, config)
    if found is None:
        return False
    print(f"=== seed {seed}, {mode}: {found.what}")
    print("\n---\n".join("\n".join(emit.block(part)) for part in [*items, config]))
    show(found)
    return True


def show(found: compare.Difference) -> None:
    for who, answer in (("function", found.function), ("reading", found.reading)):
        print(f"--- {who}")
        print(*(answer if isinstance(answer, list) else [answer]), sep="\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
