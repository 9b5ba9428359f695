"""`krm-values new` and its page: a function of a third party, made from the page's own blocks, runs under every host; the laws find what breaks them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from krm_values import testing
from tests.hosts.machine import IMAGE, Machine
from tests.test_documents import blocks, run_session

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "functions/krm_values/_cli/own-function.md"
OUTPUT = ["    replicas: 5 # on a laptop", "    replicas: 2"]


def _environment(folder: Path) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(folder), "NO_COLOR": "1", "COLUMNS": "150"}


def _run(folder: Path, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    done = subprocess.run(words, cwd=folder, env=_environment(folder), input=stdin, capture_output=True, check=False)
    return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def made(tmp_path: Path) -> Path:
    done = _run(tmp_path, "krm-values", "new", "namespace-replicas", "made")
    assert done.returncode == 0, done.stderr
    return tmp_path / "made"


def test_the_function_and_its_container_have_thirty_lines(made):
    own = [*(made / "krm_values_functions/namespace_replicas").glob("*.py"), made / "Dockerfile"]
    assert len(own) == 4
    assert sum(bool(line.strip()) for path in own for line in path.read_text("utf-8").splitlines()) <= 30


def test_what_the_page_shows_is_what_happens(made):
    """Its blocks are the files; its sessions run among them: explain, the case, the laws, kpt."""
    text = PAGE.read_text("utf-8")
    written = {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()}
    assert written == {*re.findall(r"^`([\w./-]+)`\n\n```", text, re.MULTILINE)}
    assert all(f"```\n{(made / name).read_text('utf-8')}```" in re.sub(r"```\w+\n", "```\n", text) for name in written)
    for session in blocks(PAGE, "console"):
        run_session(session, made, _environment(made))
    assert "replicas: 3 # on a laptop" in (made / "example/deployment.yaml").read_text("utf-8")


def test_another_name_is_written_everywhere(tmp_path):
    assert _run(tmp_path, "krm-values", "new", "zone-labels", "made").returncode == 0
    made = tmp_path / "made"
    texts = "".join(f"{path.relative_to(made)}\n{path.read_text('utf-8')}" for path in made.rglob("*") if path.is_file())
    assert not re.search("namespace.?replicas", texts, re.IGNORECASE)
    given = (made / "cases/prod/input.yaml").read_bytes()
    expected = _run(made, "krm-values", "run", "zone-labels", stdin=given).stdout
    assert [line for line in expected.splitlines() if line.startswith("    replicas:")][:2] == OUTPUT
    assert _run(made, "krm-values", "render", "example").returncode == 0
    assert re.search("^zone-labels +Set the replicas", _run(made, "krm-values", "list").stdout, re.MULTILINE)
    assert '"title": "ZoneLabels"' in _run(made, "krm-values", "schema", "zone-labels").stdout
    assert _run(made, "krm-values", "docs", "zone-labels").stdout.startswith("# zone-labels\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Zones", "must be words of a-z and 0-9"),
        ("a_b", "must be words of a-z and 0-9"),
        ("../a", "must be words of a-z and 0-9"),
        ("class", "must be words of a-z and 0-9"),
        ("flux-values", "there is a function `flux-values` already"),
    ],
)
def test_a_name_that_no_new_function_can_have(name, said, tmp_path):
    done = _run(tmp_path, "krm-values", "new", name, "made")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not [*tmp_path.iterdir()]


def test_what_is_there_is_not_touched(made):
    done = _run(made.parent, "krm-values", "new", "other", "made")
    assert done.returncode == 2
    assert "must not exist yet" in done.stderr
    assert not (made / "krm_values_functions/other").exists()


def test_the_working_directory_is_not_searched(made):
    """A relative entry of Python's path would run what a directory holds that somebody works in."""
    program = "import sys; sys.path[:0] = ['', '.']; from krm_values._run.registry import functions; print(*functions())"
    done = subprocess.run([sys.executable, "-P", "-c", program], cwd=made, capture_output=True, text=True, check=True)
    assert "namespace-replicas" not in done.stdout.split()


def test_with_its_schema_a_run_does_without_pydantic(made):
    given = (made / "cases/prod/input.yaml").read_bytes()
    program = "import sys; from krm_values import main; code = main(); assert not code; print('pydantic' in sys.modules, file=sys.stderr)"
    run = (sys.executable, "-c", program, "run", "namespace-replicas")
    slow = _run(made, *run, stdin=given)
    done = _run(made, sys.executable, "-m", "krm_values.testing", "namespace-replicas")
    assert done.returncode == 0, done.stderr
    (made / "krm_values_functions/namespace_replicas/config.json").write_text(done.stdout)
    fast = _run(made, *run, stdin=given)
    assert (slow.stderr.split()[-1], fast.stderr.split()[-1]) == ("True", "False")
    assert fast.stdout == slow.stdout
    config = made / "krm_values_functions/namespace_replicas/config.py"
    config.write_text(config.read_text().replace("replicas: int = 1", "replicas: int = 1000"))
    (made / "cases/prod/expected.yaml").write_text(fast.stdout)
    tested = _run(made, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert "config.json is older than config.py" in tested.stdout
    assert re.search("1 failed, 6 passed", tested.stdout), tested.stdout


def test_as_a_wheel_it_has_a_command_of_its_own(made, tmp_path):
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--no-build-isolation", "--target", tmp_path / "installed", made], check=True)
    given = (made / "cases/prod/input.yaml").read_bytes()
    done = _run(tmp_path / "installed", "bin/krm-namespace-replicas", stdin=given)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("    replicas:")][:2] == OUTPUT


@pytest.mark.hosts
def test_in_a_container(made, tmp_path):
    machine = Machine(tmp_path)
    machine.needs_image(IMAGE)
    tag = "localhost/namespace-replicas"
    machine.run("docker", "build", "--network", "none", "--build-arg", f"BASE_IMAGE={IMAGE}", "--tag", tag, made)
    try:
        given = (made / "cases/prod/input.yaml").read_text("utf-8")
        run = ["docker", "run", "--rm", "--interactive", "--network", "none", "--read-only", tag]
        found = machine.run(*run, stdin=given).stdout
        assert found == _run(made, "krm-values", "run", "namespace-replicas", stdin=given.encode()).stdout
        kptfile = made / "example/Kptfile"
        kptfile.write_text(kptfile.read_text("utf-8").replace("exec: krm-values run namespace-replicas", f"image: {tag}"))
        machine.needs("kpt")
        machine.run("kpt", "fn", "render", "--image-pull-policy", "Never", made / "example")
        assert "replicas: 3 # on a laptop" in (made / "example/deployment.yaml").read_text("utf-8")
    finally:
        machine.run("docker", "image", "rm", tag)


# The laws, against functions that break them.

CONFIG = "from krm_values import FunctionConfig\n\n\nclass Broken(FunctionConfig):\n    pass\n"
DECLARED = 'from krm_values import Function\n\nfunction = Function(__name__, "config:Broken", "plan:plan"{})\n'
PLAN = (
    "from krm_values import Origin, put\n\n\ndef plan(config, resources, _tools):\n    for at, item in enumerate(resources):\n"
)
COUNTED = PLAN + "        yield put(item, ('spec', 'n'), item.data['spec']['n'] + 1, Origin('x', 1))\n"
INPUT = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: x.test/v1
  kind: A
  metadata: {name: a}
  spec: {n: 0}
- apiVersion: x.test/v1
  kind: A
  metadata: {name: b}
  spec: {n: 0}
functionConfig:
  apiVersion: krm-values.dev/v1alpha1
  kind: Broken
"""
LAWS = {name.removeprefix("test_") for name in vars(testing.Laws) if name.startswith("test_")} - {"there_is_a_case", "schema"}


@pytest.mark.parametrize(
    ("record", "plan", "broken"),
    [
        (", record=lambda _: True", PLAN + "        yield put(item, ('spec', 'n'), 1, Origin('x', 1))\n", set()),
        (", record=lambda _: True", COUNTED, set()),
        ("", COUNTED, {"second_run"}),
        (", record=lambda _: True", PLAN + "        yield put(item, ('spec', 'n'), at, Origin('x', 1))\n", {"order"}),
    ],
    ids=["none", "with a record, counting is none", "a second run", "order"],
)
def test_the_laws_find_what_breaks_them(record, plan, broken, tmp_path, monkeypatch):
    name = f"broken_{tmp_path.name}".replace("-", "_").lower()
    folder = tmp_path / "krm_values_functions/broken"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(DECLARED.format(record))
    (folder / "config.py").write_text(CONFIG)
    (folder / "plan.py").write_text(plan)
    (tmp_path / "cases/one").mkdir(parents=True)
    (tmp_path / "cases/one/input.yaml").write_text(INPUT)
    (tmp_path / "cases/one/expected.yaml").write_text(
        _run(tmp_path, "krm-values", "run", "broken", stdin=INPUT.encode()).stdout
    )
    test = tmp_path / f"test_{name}.py"
    test.write_text(
        "from krm_values.testing import Laws\n\n\nclass TestLaws(Laws):\n"
        f"    function = 'broken'\n    cases = {str(tmp_path / 'cases')!r}\n"
    )
    done = _run(tmp_path, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(test))
    assert {*re.findall(r"^FAILED .*::test_(\w+)\[one\]", done.stdout, re.MULTILINE)} == broken, done.stdout
    assert f"{len(LAWS) + 2 - len(broken)} passed" in done.stdout


def test_a_case_without_expected_output_says_how_to_make_it(tmp_path):
    laws = type("Laws", (testing.Laws,), {"function": "flux-values", "cases": tmp_path})()
    (tmp_path / "one").mkdir()
    (tmp_path / "one/input.yaml").write_text(INPUT)
    with pytest.raises(AssertionError, match="make it with `krm-values run flux-values < "):
        laws.test_output(tmp_path / "one")
    with pytest.raises(AssertionError, match=r"has no CASE/input\.yaml"):
        type("Laws", (testing.Laws,), {"function": "flux-values", "cases": tmp_path / "none"})().test_there_is_a_case()
