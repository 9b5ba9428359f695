"""Run a program with limits and say what it took: `launcher.py SECONDS BYTES REPORT PROGRAM ARGUMENT...`.

A process of its own, small, since the most memory of a child counts what its parent had when it forked.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys


def main() -> int:
    seconds, limit, report, *command = sys.argv[1:]
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_AS, (int(limit), int(limit)))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.execvp(command[0], command)
    late = []

    def stop(*_: object) -> None:
        late.append(True)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(int(seconds))
    _, status, usage = os.wait4(child, 0)
    signal.alarm(0)
    found = {
        "code": os.waitstatus_to_exitcode(status),
        "seconds": usage.ru_utime + usage.ru_stime,
        "bytes": usage.ru_maxrss * 1024,
        "late": bool(late),
    }
    with open(report, "w", encoding="utf-8") as file:
        json.dump(found, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
