"""The law on packages: every command, before and after a render, with a changed Secret, without it, and without what it filled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from krm_values._run import registry
from tests.secrets.commands import contents, krm
from tests.secrets.judge import Places, explained, of_secrets, silent
from tests.secrets.looks import looks
from tests.secrets.markers import Marker, elsewhere, places, without
from tests.secrets.trees import PACKAGE, STORIES, chain, example, replant, take_away, write

A, B = Marker("first"), Marker("changed")
MARKERS = [A, B]


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """A place for temporary files that must stay empty."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield
    assert contents(folder) == {}


def said(package: Path, *, asked: bool = True) -> Places:
    """Every command that only looks is silent; where values of Secrets may come to stand. asked: those that answer questions, too."""
    explanation = explained(b"", MARKERS, package)
    lints = (["lint", name, package] for name in ("glasskube", *registry.functions()))
    for arguments in (["render", "--diff", package], ["check", "-v", package], ["inputs", package], *lints):
        done = krm(*arguments)
        silent(MARKERS, " ".join(map(str, arguments)), done.said)
        assert not done.opened
    for what, _, *texts in looks(package) if asked else ():
        silent(MARKERS, what, *texts)
    results = package.parent / "results"
    silent(MARKERS, "render --diff --results-dir", krm("render", "--diff", package, "--results-dir", results).said)
    silent(MARKERS, "results.yaml", *contents(results).values())
    return of_secrets(explanation, set())


def rendered(package: Path, before: Places) -> tuple[Places, int]:
    """`render` in place, between two looks: the places that may hold a Secret's value, and how many hold one."""
    allowed = said(package, asked=False) | before
    names, held = set(contents(package)), count(package)
    done = krm("render", package)
    silent(MARKERS, "render", done.said)
    for name, content in contents(package).items():
        silent(MARKERS, name, elsewhere(name, content, allowed), name.encode())
    inside = {str(Path(path).relative_to(package)) for path in done.opened if Path(path).is_relative_to(package)}
    assert not any(name.endswith((".yaml", ".json")) for name in inside - names)  # staged under names that no host reads
    assert not (inside - names) & set(contents(package))
    said(package)
    return allowed, count(package) - held


def count(package: Path) -> int:
    """How often a value of a Secret stands in a package."""
    return sum(marker.count(content) for content in contents(package).values() for marker in MARKERS)


def outputs(package: Path, allowed: Places) -> None:
    """`render -o`: what is printed, and what is written elsewhere."""
    for form in ("stdout", "unwrap"):
        done = krm("render", package, "-o", form)
        silent(MARKERS, form, done.stderr)
        text = done.stdout.decode()
        silent(MARKERS, form, without(text, places(text, allowed)).encode())
    other = package.parent / "elsewhere"
    silent(MARKERS, "-o", krm("render", package, "-o", other).said)
    for name, content in contents(other).items():
        silent(MARKERS, name, elsewhere(name, content, allowed))


@pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.parent.name}/{story.name}")
def test_examples(story, tmp_path):
    package = example(story, tmp_path / "package", A)
    outputs(package, said(package))
    allowed, arrived = rendered(package, set())
    assert arrived or story.name == "into-the-release"  # whose Secret stays a reference
    replant(package, B)
    allowed, _ = rendered(package, allowed)
    take_away(package)
    rendered(package, allowed)


CHAIN = ["object", "inline"]


@pytest.mark.parametrize("output", CHAIN)
def test_every_function_after_one_that_took_values_out_of_secrets(tmp_path, output):
    package = write(tmp_path / "package", chain(output), A)
    outputs(package, said(package))
    allowed, arrived = rendered(package, set())
    assert arrived > 20
    assert krm("render", "--diff", package).stdout == b""
    for change in (lambda: replant(package, B), lambda: without_values(package), lambda: take_away(package)):
        change()
        allowed, _ = rendered(package, allowed)


def without_values(package: Path) -> None:
    """The Package's values are literals now: what it had written out of Secrets goes."""
    path = package / "package.yaml"
    path.write_text(path.read_text().partition("    pw: ")[0] + "    pw: {value: plain}\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    pw: {valueFrom: {secretRef: {name: vault, key: pw}}}\n", ""),
        ("    whole: {valueFrom: {secretRef: {name: vault, key: yaml}}}\n", ""),
        ("{secretRef: {name: vault, key: pw}}", "{secretRef: {name: more, key: b}}"),
        ("{secretRef: {name: vault, key: pw}}", "{secretRef: {name: more, key: nothing}}"),
        (PACKAGE, PACKAGE.replace("name: foo", "name: bar")),
        ("namespace: team", "namespace: other"),
    ],
)
@pytest.mark.parametrize("output", CHAIN)
def test_after_any_change_of_the_package_the_old_values_are_not_shown(tmp_path, output, old, new):
    package = write(tmp_path / "package", chain(output), A)
    krm("render", package)
    allowed = of_secrets(explained(b"", MARKERS, package), set())
    text = (package / "package.yaml").read_text()
    assert old in text
    (package / "package.yaml").write_text(text.replace(old, new))
    rendered(package, allowed)


def test_a_diff_has_signs_before_hidden_values_that_change(tmp_path):
    package = write(tmp_path / "package", chain(), A)
    krm("render", package)
    replant(package, B)
    shown = krm("render", "--diff", package).stdout.decode()
    assert "-    pw: <hidden>\n+    pw: <hidden>\n" in shown
    assert "host: h, pw: <hidden>, port: 1" in shown
    assert "changed" not in shown + krm("explain", package).stdout.decode()
    assert B.text in krm("render", "--diff", "--show-secrets", package).stdout.decode()


def test_two_packages_that_differ_in_secrets_only_are_told_alike(tmp_path):
    packages = [write(tmp_path / str(number) / "package", chain(), marker) for number, marker in enumerate((A, B))]
    for arguments in (
        ["render", "--diff"],
        ["explain"],
        ["explain", "--json"],
        ["explain", "--patch"],
        ["render"],
        ["explain"],
    ):
        said = []
        for package in packages:
            os.chdir(package)
            done = krm(*arguments, ".")
            said.append((done.code, done.stdout, done.stderr))
        assert said[0] == said[1]


CRASH = """\
import sys
from krm_values._run import engine as run
def fail(*_):
    raise RuntimeError("fault")
run.Run.generate = fail
sys.argv = ["krm-values", *sys.argv[1:]]
from krm_values._cli.main import main
sys.exit(main())
"""


@pytest.mark.parametrize("debug", [[], ["--debug"]])
def test_a_fault_of_ours_shows_nothing(tmp_path, debug):
    package = write(tmp_path / "package", chain(), A)
    done = subprocess.run([sys.executable, "-c", CRASH, "render", str(package), *debug], capture_output=True, check=False)
    assert done.returncode == 3
    silent([A], "a fault", done.stdout + done.stderr)


def test_whole_processes_write_no_temporary_file_with_a_value(tmp_path):
    package = write(tmp_path / "package", chain(), A)
    for arguments in (["render", "--diff", package], ["render", package], ["explain", package]):
        done = subprocess.run(
            [sys.executable, "-c", "import sys; from krm_values._cli.main import main; sys.exit(main())", *map(str, arguments)],
            capture_output=True,
            check=False,
        )
        silent([A], "a process", done.stdout + done.stderr)
