"""Each exit code of each command is provoked; `docs/exit-codes.md` is made of the calls (`--update-golden`)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, snapshot, started, write
from tests.cli.test_commands import scripts
from tests.cli.test_compare_git import commit
from tests.cli.test_compare_git import run as git

from krm_values._cli.arguments import table

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/exit-codes.md"
HEAD = """\
# Exit codes

A test makes each of these calls and writes this page. `web` is a rendered package, `changed` the same with another value, not rendered, `bad` one whose
Kptfile is broken, and `faulty` one with a step whose function has a defect. A command that is interrupted exits with 130, one whose reader has
closed the pipe with 141. `repository` is a git repository with `web`, `edited` one with `changed` over the commit of `web`, `defect` one with
`faulty`, `bundle` what `fleet render --bundle` wrote. `broken` on Python's path is a library that cannot be imported: to the commands that run no function it is the defect.

| command | 0 | 1 | 2 | 3 |
| --- | --- | --- | --- | --- |
"""
BROKEN = "PYTHONPATH=broken"
CALLS = {
    "explain": ("web", "web spec.none", "web --colour", "faulty"),
    "values": ("web", "web Deployment/none", "web --colour", "faulty"),
    "why": ("web/layers.yaml:8", "web/none.yaml:1", "web/layers.yaml", "faulty/a.yaml:1"),
    "impact": ("web/layers.yaml:8", "web/layers.yaml:13", "web/none.yaml:1", "faulty/a.yaml:1"),
    "compare": ("web web", "web changed", "web bad", "web faulty"),
    "render": ("web", "bad", "--colour", "faulty"),
    "render --diff": ("web", "changed", "bad", "faulty"),
    "check": ("web", "changed", "--colour", "faulty"),
    "inputs": ("web", "none", "--colour", BROKEN),
    "clean": ("web", "none", "web changed", BROKEN),
    "revert": ("layered-values web", "layered-values none", "web changed none", BROKEN),
    "fleet render": ("web", "bad", "--colour", "faulty"),
    "fleet render --diff": ("web", "changed", "bad", "faulty"),
    "fleet explain": ("web spec.replicas", "web spec.none", "--colour", "faulty spec.none"),
    "fleet impact": ("web layers.yaml:8", "web layers.yaml:13", "web none.yaml:1", "faulty a.yaml:1"),
    "fleet compare": (
        "repository --against HEAD",
        "edited --against HEAD",
        "repository --against none",
        "defect --against HEAD",
    ),
    "fleet merge": ("web bundle", "web none", "--colour", BROKEN),
    "fleet job": ("--shards 2 --image i", "", "--shards 0", BROKEN),
    "run": ("layered-values web", "layered-values none.yaml", "none web", "faulty faulty"),
    "lint": ("layered-values web", "layered-values web/layers.yaml", "none web", "faulty faulty"),
    "list": ("", "", "--colour", BROKEN),
    "docs": ("layered-values", "", "none", BROKEN),
    "schema": ("layered-values", "", "none", BROKEN),
    "new": ("region-labels own", "", "layered-values own", BROKEN),
    "kustomize install-plugins": ("", "", "--colour", BROKEN),
    "kustomize uninstall-plugins": ("", "", "--colour", BROKEN),
    "completion": ("bash", "", "tcsh", BROKEN),
    "help": ("render", "", "none", BROKEN),
}
"""The words by which each command ends with 0, 1, 2 and 3. "": with no words, or, but for 0, that it has no such end. BROKEN: those of
code 0, with a library that cannot be imported."""
FAULTY = {
    "__init__.py": '"""A function with a defect."""\nfrom krm_values._run.function import Function\n'
    'function = Function(__name__, "config:Faulty", "plan:plan", kinds=("ConfigMap",))\n',
    "config.py": "from krm_values._krm.model import FunctionConfig\nclass Faulty(FunctionConfig):\n    pass\n",
    "plan.py": "def plan(config, resources, tools):\n    raise ValueError\n    yield\n",
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path / "path")
    write(tmp_path / "path/krm_values_functions/faulty", FAULTY)
    for name in ("web", "changed"):
        shutil.copytree(ROOT / "examples/layered-values/first", tmp_path / name, ignore=shutil.ignore_patterns(".expected"))
    assert command("render", tmp_path / "web").returncode == 0
    layers = tmp_path / "changed/layers.yaml"
    layers.write_text(layers.read_text().replace("replicas: 3", "replicas: 5"))
    scripts(tmp_path / "bin")
    (tmp_path / "bin/git").symlink_to(shutil.which("git") or "git")
    resource = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    write(
        tmp_path,
        {
            "broken/yaml/__init__.py": "raise ValueError\n",
            "bad/Kptfile": "kind: [",
            "faulty/Kptfile": kptfile("exec: krm-faulty"),
            "faulty/a.yaml": resource,
        },
    )
    return tmp_path


@pytest.mark.parametrize(
    ("name", "code"), [(name, code) for name, calls in CALLS.items() for code in range(4) if calls[code] or not code]
)
def test_a_call_ends_with_the_code(here, name, code):
    words = _words(name, code)
    for word in {"repository", "edited", "defect"} & {*words}:
        if not shutil.which("git"):
            pytest.skip("git is not installed")
        shutil.copytree(here / ("faulty" if word == "defect" else "web"), here / word)
        git(here / word, "init", "-q")
        commit(here / word)
        if word == "edited":
            shutil.copy(here / "changed/layers.yaml", here / word)
        if word == "defect":
            (here / word / "a.yaml").write_text((here / word / "a.yaml").read_text().replace("name: a", "name: b"))
    if "bundle" in words:
        assert command("fleet", "render", "web", "--shard", "1/1", "--bundle", "bundle", cwd=here).returncode == 0
    given = {"KUSTOMIZE_PLUGIN_HOME": str(here / "plugins"), "PATH": str(here / "bin")}
    if words[0] == BROKEN:
        before = snapshot(here / "web")
        done = started(*words[1:], cwd=here, path=[here / "broken"], **given)
        assert (done.stderr.count("a defect of krm-values"), snapshot(here / "web")) == (1, before)
        assert not {"own", "plugins"} & {path.name for path in here.iterdir()}
    else:
        done = command(*words, cwd=here, **given)
    assert done.returncode == code, done.stderr
    assert code == 0 or done.stderr or name in ("impact", "compare", "render --diff", "lint") or name.startswith("fleet ")


def test_every_command_is_called_and_the_page_has_each_call(golden):
    assert {name.split()[0] for name in CALLS} == {*table.COMMANDS}
    golden(HEAD + "".join(map(_row, CALLS)), PAGE)


def _words(name, code):
    """The words of a call, which may begin with an assignment as of a shell."""
    words = CALLS[name][code]
    return [BROKEN, *_words(name, 0)] if words == BROKEN else f"{name} {words}".split()


def _row(name):
    cells = [f"`{' '.join(_words(name, code))}`" if words or not code else "" for code, words in enumerate(CALLS[name])]
    return f"| `{name}` | {' | '.join(cells)} |\n"
