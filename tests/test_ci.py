"""The action of GitHub, its scripts and the template of GitLab: run as both do, on a pull request that is made with git alone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.hosts.machine import lacking
from tests.test_documents import blocks

ROOT = Path(__file__).parents[1]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
GITLAB: dict[str, Any] = yaml.safe_load((ROOT / "ci/gitlab.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
MARKER = "<!-- krm-values -->"
EXPRESSION = re.compile(r"\$\{\{ ([\w.-]+) \}\}")


def git(folder: Path, *words: str) -> None:
    names = {f"GIT_{who}_{what}": "a@x.test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **names, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", *words], cwd=folder, env=environment, check=True, capture_output=True)


def commit(folder: Path, text: str) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", text)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def request_(tmp_path: Path) -> Path:
    """Return a checkout of a pull request's merge commit: one package changed, one new, one gone, one as before, and the base went on."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    for name in ("deploy/shop", "deploy/cart", "old"):
        shutil.copytree(ROOT / "examples/layered-values/first", folder / name)
    shutil.copytree(ROOT / "examples/layered-values/package-and-sub-package", folder / "nested")
    commit(folder, "base")
    git(folder, "switch", "--quiet", "--create", "feature")
    edit(folder / "deploy/shop/layers.yaml", "replicas: 3", "replicas: 4")
    shutil.copytree(folder / "deploy/cart", folder / "new `here`")
    shutil.rmtree(folder / "old")
    commit(folder, "change")
    git(folder, "switch", "--quiet", "main")
    edit(folder / "deploy/cart/layers.yaml", "replicas: 3", "replicas: 9")
    commit(folder, "the base goes on")
    git(folder, "merge", "--quiet", "--no-ff", "--message", "merge", "feature")
    return folder


def run_step(name: str, folder: Path, tmp_path: Path, values: dict[str, str], **extra: str) -> subprocess.CompletedProcess[str]:
    """Run a step of the action as a runner does: the script as it stands, expressions in its environment alone."""
    step = STEPS[name]
    assert step["shell"] == "bash"
    defaults = {f"inputs.{key}": str(one["default"]) for key, one in ACTION["inputs"].items()}
    known = defaults | values
    given = {key: EXPRESSION.sub(lambda found: known[found[1]], text) for key, text in step.get("env", {}).items()}
    own = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "RUNNER_TEMP": str(tmp_path / "runner"),
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }
    script = tmp_path / "script.sh"
    script.write_text(step["run"], "utf-8")
    call = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
    return subprocess.run(call, cwd=folder, env=own | given | extra, capture_output=True, text=True, check=False)


def test_no_expression_is_part_of_a_script():
    """What a pull request names (a branch, a path) would be run by the shell."""
    assert all("${{" not in step["run"] for step in STEPS.values())
    assert [name for name, step in STEPS.items() if step["if"] == "inputs.comment != ''"] == ["Comment"]


def test_the_workflow_gives_a_strangers_code_no_token_that_may_write():
    (workflow,) = (text for text in blocks(Path("docs/ci.md"), "yaml") if "runs-on" in text)
    found = yaml.safe_load(workflow)
    assert found[True] == "pull_request"  # YAML 1.1 reads `on` as true
    assert found["permissions"] == {}
    compare, comment = found["jobs"]["compare"], found["jobs"]["comment"]
    assert compare["permissions"] == {"contents": "read"}
    assert compare["steps"][0]["with"] == {"fetch-depth": 2, "persist-credentials": False}
    assert comment["permissions"] == {"pull-requests": "write"}
    assert comment["needs"] == "compare"
    assert not [step for step in comment["steps"] if "checkout" in step["uses"]]
    (last,) = (step for step in comment["steps"] if "krm-values@" in step["uses"])
    assert last["with"] == {"comment": ACTION["inputs"]["markdown"]["default"]}


def test_a_pull_request_is_compared_with_its_base(request_, tmp_path):
    done = run_step("Compare", request_, tmp_path, {})
    assert done.returncode == 0, done.stderr
    text = (request_ / "krm-values.md").read_text("utf-8")
    assert text.startswith(f"{MARKER}\n")
    parts = dict(re.findall(r"^## `(.*?)`\n\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert {name: part.strip() for name, part in parts.items()} == {
        "deploy/shop": "### `Deployment web`\n\n- `spec.replicas`: `3` → `4`, because `layers.yaml:13` changed",
        "new 'here'": "A new package.",
        "old": "The package is removed.",
    }
    assert (tmp_path / "output").read_text() == "differs=true\n"
    assert (tmp_path / "summary").read_text("utf-8") == text


HOSTILE = "import pathlib\npathlib.Path(__file__).with_name('RAN').touch()\nraise SystemExit(1)\n"


@pytest.mark.parametrize("name", ["krm-values.md", "out/krm-values.md"])
@pytest.mark.parametrize("is_comparable", [True, False])
def test_a_pull_request_that_has_the_comparison_already_neither_says_nor_writes_anything(
    name, is_comparable, request_, tmp_path
):
    """A link would be written through, and a file shown where nothing can be compared."""
    secret = tmp_path / "secret/krm-values.md"
    secret.parent.mkdir()
    secret.write_text("hunter2")
    (request_ / name).parent.symlink_to(secret.parent) if "/" in name else (request_ / name).symlink_to(secret)
    inputs = {"inputs.markdown": name, **({} if is_comparable else {"inputs.base": "no-such-commit"})}
    done = run_step("Compare", request_, tmp_path, inputs)
    assert done.returncode == (3 if "/" in name else 0 if is_comparable else 2), done.stderr
    assert secret.read_text() == "hunter2"
    shown = tmp_path / "summary"
    assert not shown.exists() or "hunter2" not in shown.read_text()


@pytest.mark.parametrize("module", ["venv", "ensurepip", "pip"])
def test_no_module_of_a_pull_request_runs(module, request_, tmp_path):
    """`python -m` looks for modules in the working directory first."""
    for name in ("__init__", "__main__"):
        (request_ / module).mkdir(exist_ok=True)
        (request_ / module / f"{name}.py").write_text(HOSTILE)
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    run_step(
        "Install krm-values", request_, tmp_path, {}, **{**kept, "PIP_INDEX_URL": "http://127.0.0.1:9", "PIP_RETRIES": "0"}
    )
    assert not (request_ / module / "RAN").exists()
    assert (tmp_path / "runner/krm-values/bin/pip").exists()
    (first, *_) = (line for line in GITLAB[".krm-values-installed"]["before_script"] if "venv" in line)
    subprocess.run(["sh", "-ec", first.replace("/tmp/", f"{tmp_path}/")], cwd=request_, check=True, capture_output=True)
    assert not (request_ / module / "RAN").exists()


def test_a_pull_request_that_changes_no_value(request_, tmp_path):
    done = run_step("Compare", request_, tmp_path, {"inputs.base": "HEAD"})
    assert done.returncode == 0, done.stderr
    assert (request_ / "krm-values.md").read_text("utf-8") == f"{MARKER}\nNo value differs.\n"
    assert (tmp_path / "output").read_text() == "differs=false\n"


def test_only_the_packages_that_are_named(request_, tmp_path):
    run_step("Compare", request_, tmp_path, {"inputs.packages": "deploy/cart ./deploy/shop/"})
    assert re.findall("^## (.*)", (request_ / "krm-values.md").read_text("utf-8"), re.MULTILINE) == ["`deploy/shop`"]


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"inputs.base": "no-such-commit"}, "no-such-commit"),
        ({"inputs.base": "--help"}, "--help"),
        ({"inputs.packages": "nowhere"}, ""),
    ],
)
def test_a_failure_fails_the_job(inputs, said, request_, tmp_path):
    done = run_step("Compare", request_, tmp_path, inputs)
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "output").exists()


def test_a_package_that_cannot_be_rendered_fails_the_job_after_the_others(request_, tmp_path):
    edit(request_ / "deploy/shop/layers.yaml", "replicas: replicas", "replicas: replica")
    edit(request_ / "deploy/cart/layers.yaml", "spec.replicas:", "spec.repl:")
    edit(request_ / "nested/Kptfile", "exec: krm-layered-values", "exec: cat")
    done = run_step("Compare", request_, tmp_path, {})
    assert done.returncode == 2
    text = (request_ / "krm-values.md").read_text("utf-8")
    assert "## `nested`\n\nThis package cannot be rendered; the log of the job says why.\n" in text
    assert "## `old`" in text
    assert "is not a function of krm-values" in done.stderr
    assert run_step("Compare", request_, tmp_path, {"inputs.skip-foreign": "true", "inputs.packages": "nested"}).returncode == 0


@pytest.mark.hosts
def test_the_action_installs_itself(request_, tmp_path):
    """With the locked versions, in an environment of its own, without writing into its checkout."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    done = run_step("Install krm-values", request_, tmp_path, {}, **kept)
    if "from versions: none" in done.stderr:
        lacking("pip cannot reach its package index")
    assert done.returncode == 0, done.stderr
    own = tmp_path / "runner/krm-values/bin"
    compared = run_step("Compare", request_, tmp_path, {}, PATH=f"{own}{os.pathsep}{os.defpath}")
    assert compared.returncode == 0, compared.stderr
    assert (tmp_path / "output").read_text() == "differs=true\n"


def gh(folder: Path, earlier: str) -> Path:
    """Write a `gh` that notes its calls, with the text of a comment. earlier: what it lists."""
    folder.mkdir()
    program = folder / "gh"
    program.write_text(
        f"#!{sys.executable}\nimport json, sys\nfrom pathlib import Path\nwords = sys.argv[1:]\n"
        f"body = [Path(word[6:]).read_text('utf-8') for word in words if word.startswith('body=@')]\n"
        f"with open({str(folder / 'calls')!r}, 'a') as file:\n    file.write(json.dumps([words, body]) + '\\n')\n"
        f"print({earlier!r}, end='') if '--jq' in words else None\n"
    )
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("earlier", "method", "place"),
    [("", "POST", "repos/o/r/issues/7/comments"), ("12\n34\n", "PATCH", "repos/o/r/issues/comments/12")],
)
@pytest.mark.parametrize("length", [10, 70_000])
def test_the_finished_comparison_is_one_comment(earlier, method, place, length, tmp_path):
    tools = gh(tmp_path / "bin", earlier)
    text = f"{MARKER}\n" + "".join(f"- line {number} §\n" for number in range(length // 10))
    (tmp_path / "krm-values.md").write_text(text, "utf-8")
    values = {
        "inputs.comment": "krm-values.md",
        "github.token": "secret",
        "github.repository": "o/r",
        "github.event.pull_request.number": "7",
    }
    done = run_step("Comment", tmp_path, tmp_path, values, PATH=f"{tools}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    asked, written = [json.loads(line) for line in (tools / "calls").read_text("utf-8").splitlines()]
    assert asked[0][:3] == ["api", "--paginate", "repos/o/r/issues/7/comments"]
    assert written[0][:5] == ["api", "--silent", "--method", method, place]
    (body,) = written[1]
    assert body == text if length == 10 else (len(body.encode()) < 65_536 and body.endswith("see the artifact of the job.\n"))


def test_the_filter_finds_our_comment_and_no_other(tmp_path):
    if not shutil.which("jq"):
        pytest.skip("jq is not installed")
    mine = re.search(r'^mine="(.*)"$', (ROOT / "ci/comment.sh").read_text("utf-8"), re.MULTILINE)
    assert mine
    text = mine[1].replace('\\"', '"').replace("$marker", MARKER)
    bot, other = {"login": "github-actions[bot]"}, {"login": "somebody"}
    comments = [
        {"id": 1, "user": other, "body": f"{MARKER}\nforged"},
        {"id": 2, "user": bot, "body": "another workflow's"},
        {"id": 3, "user": bot, "body": f"{MARKER}\nours"},
    ]
    done = subprocess.run(["jq", text], input=json.dumps(comments), capture_output=True, text=True, check=True)
    assert done.stdout == "3\n"


def test_what_is_no_comparison_is_not_commented(tmp_path):
    tools = gh(tmp_path / "bin", "")
    (tmp_path / "krm-values.md").write_text("hello\n")
    done = run_step(
        "Comment",
        tmp_path,
        tmp_path,
        {
            "inputs.comment": "krm-values.md",
            "github.token": "",
            "github.repository": "o/r",
            "github.event.pull_request.number": "7",
        },
        PATH=f"{tools}{os.pathsep}{os.environ['PATH']}",
    )
    assert done.returncode == 1
    assert not (tools / "calls").exists()


# GitLab


def test_gitlabs_comment_job_has_no_checkout_and_the_others_no_token():
    comment = GITLAB["krm-values-comment"]
    assert comment["variables"] == {"GIT_STRATEGY": "none"}
    assert comment["environment"] == {"name": "krm-values-comment", "action": "access"}
    others = {name: job for name, job in GITLAB.items() if name != "krm-values-comment"}
    assert "TOKEN" not in json.dumps(others)


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [("deploy/shop deploy/cart", 0, "`spec.replicas`: `3` → `4`"), ("nowhere deploy/shop", 2, "`spec.replicas`: `3` → `4`")],
)
def test_gitlab_compares_a_merge_request(packages, code, said, request_, tmp_path):
    base = subprocess.run(["git", "rev-parse", "HEAD^1"], cwd=request_, capture_output=True, text=True, check=True)
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "KRM_PACKAGES": packages,
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base.stdout.strip(),
    }
    script = "set -eo pipefail\n" + "\n".join(GITLAB["krm-values-compare"]["script"])
    done = subprocess.run(["bash", "-c", script], cwd=request_, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert said in (request_ / "krm-values.md").read_text("utf-8")


@pytest.mark.parametrize("is_link", [True, False])
def test_gitlab_comments_nothing_that_a_merge_request_has_written(is_link, request_, tmp_path):
    file, other = request_ / "krm-values.md", tmp_path / "other"
    other.write_text("all is well\n")
    file.symlink_to(other) if is_link else shutil.copy(other, file)
    test_gitlab_compares_a_merge_request("deploy/shop", 0, "`spec.replicas`: `3` → `4`", request_, tmp_path)
    assert "all is well" not in file.read_text("utf-8")
    assert other.read_text() == "all is well\n"


def test_gitlab_refuses_what_is_not_rendered(request_, tmp_path):
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "KRM_PACKAGES": "deploy/shop nested",
    }
    (script,) = GITLAB["krm-values-diff"]["script"]
    done = subprocess.run(["bash", "-c", script], cwd=request_, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "+  replicas: 4" in done.stdout
