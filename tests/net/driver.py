"""`driver.py FUNCTIONS JOBS OUT`: answer every job with the package below FUNCTIONS, each in a copy of this process."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path


def main(functions: str, jobs: str, out: str) -> None:
    """Write a file per job: exit code, stdout, stderr, and the files that it left in its package."""
    sys.path.insert(0, functions)
    import krm_values  # noqa: PLC0415 - that of the checkout
    from krm_values._cli.main import main as command  # noqa: PLC0415

    if not str(krm_values.__file__).startswith(functions):
        raise SystemExit(f"{krm_values.__file__} is not below {functions}")
    work = Path(out) / "work"
    for job in json.loads(Path(jobs).read_text("utf-8")):
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        if job["package"]:
            shutil.copytree(job["package"], work / "package")
        parts = [_answer(command, argv, job["stdin"], work) for argv in job["calls"]]
        files = sorted(path for path in (work / "package").rglob("*") if path.is_file())
        parts += [b"\n".join([str(path.relative_to(work)).encode(), path.read_bytes()]) for path in files]
        (Path(out) / job["name"]).write_bytes(b"\n".join(parts))
    shutil.rmtree(work, ignore_errors=True)


def _answer(command: object, argv: list[str], stdin: str, work: Path) -> bytes:
    child = os.fork()
    if not child:
        code = 70
        try:
            os.chdir(work)
            for number, name, flags in (
                (0, stdin or os.devnull, os.O_RDONLY),
                (1, "../stdout", os.O_RDWR),
                (2, "../stderr", os.O_RDWR),
            ):
                os.dup2(os.open(name, flags | (os.O_CREAT | os.O_TRUNC if number else 0)), number)
            sys.argv[0] = "krm-values"
            try:
                code = command(argv)  # type: ignore[operator]
            except SystemExit as error:
                code = error.code if isinstance(error.code, int) else 2
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    texts = [(work.parent / name).read_bytes() for name in ("stdout", "stderr")]
    return b"\n".join([f"$ {' '.join(argv)}: {os.waitstatus_to_exitcode(status)}".encode(), *texts])


if __name__ == "__main__":
    main(*sys.argv[1:])
