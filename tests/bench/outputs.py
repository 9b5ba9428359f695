"""G15: the output of every conformance case and every example, against digests; `python -m tests.bench.outputs` records them again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.setting import ROOT, Bench
from tests.conformance import cases
from tests.conformance.__main__ import named, not_run
from tests.conformance.systems import SYSTEMS

_RECORDED = Path(__file__).with_name("outputs.json")
_FILES = sorted((ROOT / "tests/conformance").glob("*.yaml"))


def rows(_: Bench) -> Iterator[Figure]:
    """Yield the row: outputs that differ from the recorded ones, or are not recorded. Cases whose programs this machine lacks are left out."""
    recorded = json.loads(_RECORDED.read_text("utf-8"))
    differing = [name for name, digest in digests().items() if recorded.get(name) != digest]
    if differing:
        names = "\n  ".join(differing)
        print(f"outputs that differ from the recorded:\n  {names}", file=sys.stderr)
    yield Figure("G15", "outputs that differ from the recorded", len(differing), "cases and examples", len(recorded), "outputs")


def digests() -> dict[str, str]:
    """Return the digest of each case's outputs, without findings, and of each example's files after `render`."""
    found = {name: _digest(outputs) for name, outputs in _cases()}
    stories = sorted(path.parent for path in (ROOT / "examples").glob("*/*/Kptfile"))
    return found | {f"{story.parent.name}/{story.name}": _digest(_rendered(story)) for story in stories}


def _cases() -> Iterator[tuple[str, list[bytes]]]:
    for file in _FILES:
        system = SYSTEMS[named(file)]
        for case in cases.of(system, file):
            if not not_run(system, case) and not system.unmet(case):
                with contextlib.suppress(Exception):  # of a case that fails its own test speaks
                    yield f"{file.name}: {case['id']}", [_written(state) for _, state in cases.run(system, case)]


def _written(state: cases.State) -> bytes:
    source, outcome = cases.answer(state.given, state.programs)
    return b"".join(source.write(outcome.edited, outcome.removed, [added.data for added in outcome.added], ()))


def _rendered(story: Path) -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).parent / "krm-values"), "render", str(story), "--output", f"{folder}/out"]
        subprocess.run(command, capture_output=True, check=True)
        return [path.read_bytes() for path in sorted(Path(folder, "out").rglob("*")) if path.is_file()]


def _digest(outputs: list[bytes]) -> str:
    return hashlib.sha256(b"\0".join(outputs)).hexdigest()[:16]


if __name__ == "__main__":
    _RECORDED.write_text(json.dumps(digests(), indent=0, sort_keys=True) + "\n")
