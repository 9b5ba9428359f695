"""Every JSON that a command prints can be read by a strict reader: of all examples, and of a sample of the conformance cases."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests import strict_json
from tests.cli.packages import command
from tests.conformance import cases
from tests.conformance.test_cases import ALL

from krm_values._yaml import decode

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.parent.relative_to(ROOT) for path in ROOT.glob("examples/*/*/Kptfile"))
INSTANCE = ROOT / "examples/envgene-sd/instance-repository"
SAMPLE = ALL[::15]
_DATA = re.compile(r'<script id="data"[^>]*>(.*?)</script>', re.DOTALL)


def printed(*words: str | Path, code: int | None = 0, stdin: str | bytes = b"") -> object:
    done = command(*words, stdin=stdin)
    assert code in (None, done.returncode), done.stderr
    return strict_json.loads(done.stdout)


@pytest.mark.parametrize(
    "text", ['{"a":1,"a":1}', '[{"b":{"a":1,"c":2,"a":3}}]', "[NaN]", '{"a":-Infinity}', '["\ud800"]', "[1,]", ""]
)
def test_what_a_strict_reader_refuses(text):
    with pytest.raises(ValueError, match=r"."):
        strict_json.loads(text)


@pytest.fixture(params=EXAMPLES, ids=str)
def package(request, tmp_path):
    """A copy of an example."""
    return shutil.copytree(ROOT / request.param, tmp_path / "p", ignore=shutil.ignore_patterns(".expected"))


def test_of_an_example_before_and_after_a_render(package, tmp_path):
    before = shutil.copytree(package, tmp_path / "before")
    for _ in range(2):  # what is there already has a value before, too
        for words in (["--json"], ["--json", "--show-secrets"], ["--patch"]):
            printed("explain", package, *words)
        command("explain", package, "--html", tmp_path / "page.html")
        strict_json.loads(_DATA.findall((tmp_path / "page.html").read_text("utf-8"))[0])
        assert command("render", package).returncode == 0
    assert printed("compare", before, package, "--json", code=None)["kind"] == "Comparison"
    for file in sorted(before.rglob("*.yaml"))[:2]:
        done = command("impact", file, before, "--json")
        assert not done.stdout or strict_json.loads(done.stdout)["kind"] == "Comparison"
    assert command("render", before, "--format", "sarif").returncode == 0


SCHEMAS = [
    "explanation",
    *sorted(path.name.replace("_", "-") for path in (ROOT / "tests/functions").iterdir() if (path / "cases").is_dir()),
]


@pytest.mark.parametrize("name", SCHEMAS)
def test_of_a_schema(name):
    assert printed("schema", name)["$schema"]


def test_of_envgene_process(tmp_path):
    copy = shutil.copytree(INSTANCE, tmp_path / "p")
    sd = copy / "runs/first-import/sd.json"
    words = ["--environment", "west/dev-1", "--sd-source-type", "json", "--sd-data", f"@{sd}", "--json"]
    assert printed("envgene", "process", copy / "instance", *words)["environments"]


@pytest.mark.parametrize(("system", "case"), SAMPLE)
def test_of_a_case(system, case, tmp_path):
    states = [] if system.unmet(case) else [state for _, state in cases.run(system, case)]
    for state in states:
        tools = [word for name, program in state.programs.items() for word in (f"--{name}", program)]
        for given in (state.given, state.out):
            for words in (["--json"], ["--json", "--show-secrets"], ["--patch"]):
                printed("explain", state.function, *words, *tools, code=None, stdin=given)
            done = command("run", state.function, "--format", "sarif", *tools, stdin=given)
            assert strict_json.loads(done.stderr)["version"] == "2.1.0"
        data = decode.to_data(decode.parse(state.given.decode()))
        done = command("run", state.function, *tools, stdin=json.dumps(data, default=str))
        assert strict_json.loads(done.stdout)["kind"] == "ResourceList"
