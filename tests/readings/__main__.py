"""python -m tests.readings --count N --seed S [--mode MODE]: compare the function with the second reading on random packages."""

from __future__ import annotations

import argparse
import sys

from krm_values._kit import emit
from tests.readings import compare, generate


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.readings", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="packages per mode")
    parser.add_argument("--seed", type=int, default=0, help="the first package's seed")
    parser.add_argument("--mode", choices=generate.MODES, action="append", help="one mode, may be repeated (default: all)")
    parser.add_argument("--most", type=int, default=5, help="stop after so many differences")
    parser.add_argument("--warnings", action="store_true", help="compare warnings, too")
    parser.add_argument("--skip", action="append", default=[], help="pass over differences whose answers contain this text")
    arguments = parser.parse_args()
    different = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        items = generate.package(seed)
        modes = arguments.mode or list(generate.MODES)
        different += any(report(seed, mode, items, arguments) for mode in modes)
        if different >= arguments.most:
            return 1
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
    for who, answer in (("function", found.function), ("reading", found.reading)):
        print(f"--- {who}")
        print(*(answer if isinstance(answer, list) else [answer]), sep="\n")
    sys.stdout.flush()
    return True


if __name__ == "__main__":
    sys.exit(main())
