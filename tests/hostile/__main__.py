"""`python -m tests.hostile [NAME...]`: run all attacks and write docs/hostile.md, or run those whose name contains a word and print their rows."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.hostile import families, running, table


def main(words: list[str]) -> int:
    chosen = [
        (title, [attack for attack in attacks if not words or any(word in attack.name for word in words)])
        for title, attacks in families.ALL
    ]
    failed, rows = 0, {}
    names = [attack.name for _, attacks in chosen for attack in attacks]
    assert len(set(names)) == len(names), "each attack has a name of its own"
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        started = {attack.name: pool.submit(running.carried_out, attack) for _, attacks in chosen for attack in attacks}
    for _, attacks in chosen:
        for attack in attacks:
            try:
                rows[attack.name] = table.row(attack, started[attack.name].result())
            except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as error:
                failed += 1
                print(f"FAILED: {type(error).__name__} {error}\n", flush=True)
    if words:
        print(*rows.values(), sep="", end="")
    elif not failed:
        table.FILE.parent.mkdir(exist_ok=True)
        table.FILE.write_text(table.document((title, [rows[attack.name] for attack in attacks]) for title, attacks in chosen))
    print(f"{len(rows)} of {len(rows) + failed} attacks were stood")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
