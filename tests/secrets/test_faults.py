"""A fault of ours says where it is, and nothing of what was being read: its message may hold a value."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.secrets.judge import silent
from tests.secrets.markers import Marker
from tests.secrets.trees import chain, write

A = Marker("first")
HEAD = """\
import sys
from krm_values._run import engine as run
from krm_values._yaml import decode as yaml
SECRETS = sys.argv[-1]
def values():
    return open(SECRETS).read()
"""
FAULTS = {
    "a key": "def fail(*_): return {}[values()]",
    "an assertion": "def fail(*_): assert False, values()",
    "a chain": "def fail(*_):\n    try:\n        raise ValueError(values())\n    except ValueError as error:\n        raise RuntimeError(values()) from error",
    "a context": "def fail(*_):\n    try:\n        int(values())\n    finally:\n        raise KeyError(values())",
    "a unicode error": "def fail(*_): (values() + '\\udcff').encode()",
    "notes": "def fail(*_):\n    error = RuntimeError(values())\n    error.add_note(values())\n    raise error",
    "a record's text": "def fail(*found): raise RuntimeError(repr(found[0].__dict__ if hasattr(found[0], '__dict__') else [item.data for item in found[0].source.items]))",
    "a group": "def fail(*_): raise ExceptionGroup(values(), [ValueError(values())])",
}
TAIL = """
run.Run.generate = fail
sys.argv = ["krm-values", *sys.argv[1:-1]]
from krm_values._cli.main import main
sys.exit(main())
"""


@pytest.fixture
def package(tmp_path):
    return write(tmp_path / "package", chain(), A)


@pytest.mark.parametrize("debug", [[], ["--debug"]], ids=["", "--debug"])
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_shows_its_place_only(package, name, debug):
    program = HEAD + FAULTS[name] + TAIL
    command = [sys.executable, "-c", program, "render", str(package), *debug, str(package / "secrets.yaml")]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 3
    assert done.stdout == b""
    silent([A], name, done.stderr)
    assert b"krm_values/_run/resolve.py" in done.stderr if debug else b" in krm_values/_run/" in done.stderr


def test_an_interrupt_shows_nothing(package):
    program = HEAD + "def fail(*_): raise KeyboardInterrupt(values())" + TAIL
    command = [sys.executable, "-c", program, "render", str(package), "--debug", str(package / "secrets.yaml")]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


LIMITS = {"no memory": "def fail(*_): raise MemoryError(values())", "too deep": "def fail(*_): return fail(values())"}


@pytest.mark.parametrize("debug", [[], ["--debug"]], ids=["", "--debug"])
@pytest.mark.parametrize("name", LIMITS)
def test_an_input_beyond_a_limit_of_the_machine_shows_nothing(package, name, debug):
    program = HEAD + LIMITS[name] + TAIL
    command = [sys.executable, "-c", program, "render", str(package), *debug, str(package / "secrets.yaml")]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: ")
    silent([A], name, done.stdout + done.stderr)
