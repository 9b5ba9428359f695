"""No value of a Secret is in the table, the results, the timings, the diff, the state or the log."""

from __future__ import annotations

import pytest

from tests.cli.packages import command, write
from tests.fleet import made

MARKER = "s3cr3tM4rk3r"
SECRET = f"""\
apiVersion: v1
kind: Secret
metadata: {{name: values, namespace: apps}}
stringData:
  values.yaml: |
    password: {MARKER}
    period: 6
"""


@pytest.fixture
def secretive(tmp_path):
    """Packages whose values come from a Secret: one that is right, one whose Secret cannot be read, one with a step that fails."""
    release = made.RELEASE.partition("---\n")[0].replace("ConfigMap", "Secret")
    for name, text in (("right", SECRET), ("broken", SECRET.replace("    period: 6", "   {")), ("failing", SECRET)):
        files = made.package(1) | {"release.yaml": release, "secret.yaml": text}
        write(tmp_path / "fleet" / name, files | (made.BROKEN["step"] if name == "failing" else {}))
    return tmp_path / "fleet"


@pytest.mark.parametrize("diff", [False, True], ids=["written", "diff"])
def test_no_output_has_it(secretive, tmp_path, diff):
    files = [tmp_path / name for name in ("results", "timings", "state", "key")]
    given = [word for file in files for word in (f"--{file.name.replace('key', 'state-key')}", file)]
    for _ in range(2):
        done = command("fleet", "render", ".", "--jobs", "2", *["--diff"] * diff, *given, cwd=secretive)
        assert MARKER not in done.stdout + done.stderr
        for file in files:
            assert MARKER not in file.read_text()
    assert made.rows(files[0])["right"]["status"] == ("changed" if diff else "same")
    assert any(MARKER in path.read_text() for path in (secretive / "right").glob("*.yaml"))
