"""The entry point of an image imports from one file of byte code, and does what the installed one does."""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]  # the engine of `re` has no stubs
import re
import subprocess
import sys

import pytest
from tests.cli.packages import run
from tests.test_house import CONFIGS, LISTED

from krm_values._kit.process import registry, start

FROM = (
    "import atexit; atexit.register(lambda: print(*(name for name, one in sys.modules.items() if (spec := getattr(one, '__spec__', None))"
    " and (spec.origin or '').endswith('.py') and spec.loader not in sys.meta_path), file=sys.stderr))"
)
"""What an entry point runs first, so that it names each module in the end that comes from a file of its own."""
OUTSIDE = {
    *("encodings", "encodings.aliases", "encodings.utf_8"),
    *("__future__", "krm_values", "krm_values._kit", "krm_values._kit.process", "krm_values._kit.process.start"),
}
"""What is imported before the file of byte code is."""


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """The file of byte code."""
    path = tmp_path_factory.mktemp("start") / "krm-values.bytecode"
    start.write(str(path))
    return path


def called(path, tmp_path, *arguments, lines=(), stdin=""):
    """Run the entry point of an image."""
    script = tmp_path / "krm-values"
    script.write_text(start.script(str(path), *lines))
    script.chmod(0o755)
    return subprocess.run([script, *arguments], input=stdin, capture_output=True, text=True, check=False)


def a_list():
    item = run().replace("\n", "\n  ").rstrip()
    return f"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {item}\n"


def as_installed(*arguments, stdin=""):
    program = "import sys; from krm_values._cli.main import main; sys.argv[0] = 'krm-values'; sys.exit(main())"
    argv = [sys.executable, "-c", program, *arguments]
    return subprocess.run(argv, input=stdin, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "arguments", [["run", "tekton-params"], ["--version"], ["list"], ["docs", "flux-values"], ["run", "no"]]
)
def test_the_entry_point_of_an_image_does_what_the_installed_one_does(arguments, modules, tmp_path):
    found, expected = called(modules, tmp_path, *arguments, stdin=a_list()), as_installed(*arguments, stdin=a_list())
    assert (found.returncode, found.stdout, found.stderr) == (expected.returncode, expected.stdout, expected.stderr)
    assert found.stdout or found.stderr


@pytest.mark.parametrize("name", registry.functions())
def test_all_that_a_run_imports_is_in_the_file_of_byte_code(name, modules, tmp_path):
    """A module that a run needs and that is not in it would be searched for in folders."""
    done = called(modules, tmp_path, "run", name, lines=[FROM], stdin=LISTED + CONFIGS.get(name, ""))
    assert {*done.stderr.splitlines()[-1].split()} <= OUTSIDE


COMPILER = "import atexit; atexit.register(lambda: print('re' in sys.modules, file=sys.stderr))"


def test_a_run_compiles_no_patterns(modules, tmp_path):
    done = called(modules, tmp_path, "run", "tekton-params", lines=[COMPILER], stdin=a_list())
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == "False"


def test_a_compiled_pattern_is_the_one_that_re_makes():
    for source in start._patterns(["krm_values._yaml.encoding", "krm_values.tekton_params.spec.references"]):
        expected = re.compile(source)
        found = _sre.compile(*start._compiled(source))
        assert found == expected
        assert (found.groups, found.groupindex, found.flags) == (expected.groups, expected.groupindex, expected.flags)


@pytest.mark.parametrize("content", ["missing", "other"])
def test_a_file_of_another_python_is_not_used(content, modules, tmp_path):
    path = tmp_path / "other.bytecode"
    if content == "other":
        path.write_bytes(modules.read_bytes().replace(sys.version.encode(), b"x" * len(sys.version)))
    done = called(path, tmp_path, "list", lines=[FROM])
    assert done.stdout == as_installed("list").stdout
    assert "krm_values._cli.main" in done.stderr
