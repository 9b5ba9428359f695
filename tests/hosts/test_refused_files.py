"""What kpt, kustomize and kubectl do not read in a file, and we do, is a warning with its place; what they read is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from krm_values._cli import commands
from krm_values._krm import documents
from tests.hosts.machine import Machine

ONE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n"
TWO, BOM, SLASH = ONE.replace("name: a", "name: b"), "\ufeff", '"a\\/b"'
REFUSED = {
    "yaml 1.2": (f"%YAML 1.2\n---\n{ONE}", "1:1"),
    "yaml 1.1": (f"%YAML 1.1\n---\n{ONE}", "1:1"),
    "a tag's handle": (f"# c\n%TAG !e! tag:e.com,2000:\n---\n{ONE}", "2:1"),
    "a mark and a directive": (f"{BOM}%YAML 1.2\n---\n{ONE}", "1:1"),
    "a later directive": (f"{ONE}---\n%YAML 1.2\n---\n{TWO}", "6:1"),
    "a slash": (ONE.replace("k: v", f"k: {SLASH}"), "4:13"),
    "a slash in a key": (ONE.replace("k: v", f"{SLASH}: v"), "4:10"),
    "a slash after others": (
        f"{ONE}---\n" + TWO.replace("{k: v}", f"\n  k: 'a\\/b'\n  é: \"\\\\\" # \\/\n  l: {SLASH}"),
        "12:8",
    ),
    "two marks": (f"{BOM}{BOM}{ONE}", "1:1"),
    "a mark alone in a document": (f"---\n{BOM}\n", "2:1"),
}
READ = {
    "plain": ONE,
    "a mark": BOM + ONE,
    "a mark alone": BOM,
    "a mark between documents": f"{ONE}---\n{BOM}\n---\n{TWO}",
    "a mark before the next document": f"{ONE}---\n{BOM}{TWO}",
    "a mark within": ONE.replace("k: v", f'k: "a{BOM}b", {BOM}l: c{BOM}d'),
    "a directive behind an end": f"{ONE}...\n%YAML 1.2\n---\n{TWO}",
    "a percent sign": ONE.replace("{k: v}", "\n  k: |\n    %YAML 1.2\n"),
    "a slash in other quotes": ONE.replace(
        "{k: v}", '\n  k: \'a\\/b\'\n  l: a\\/b\n  m: "a\\\\/b" # "a\\/b"\n  n: |\n    "a\\/b"\n'
    ),
}


def warned(text: str) -> list[str]:
    return [one.message for one in documents.refused_elsewhere(text.encode(), "a.yaml")]


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_warned_of_in_files_and_in_a_package(name, tmp_path, capsys, monkeypatch):
    text, place = REFUSED[name]
    (message,) = warned(text)
    assert message.startswith(f"a.yaml:{place}: ")
    (tmp_path / "a.yaml").write_text(text, "utf-8")
    (tmp_path / "Kptfile").write_text(
        "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - {image: tekton-params, configMap: {mode: implicit}}\n"
    )
    monkeypatch.chdir(tmp_path)
    for words in (("run", "tekton-params", "a.yaml"), ("render", "."), ("explain", ".")):
        commands.dispatch("", list(words))
        assert f"warning: {message}" in capsys.readouterr().err or name == "a mark alone in a document"


@pytest.mark.parametrize("name", READ)
def test_what_they_read_is_no_warning(name):
    assert warned(READ[name]) == []


@pytest.mark.parametrize("name", [*REFUSED, *READ])
def test_the_hosts_judge(name: str, machine: Machine, tmp_path: Path) -> None:
    """Two marks are read by kpt and kubectl, which lose the first character of each line: kustomize alone refuses them."""
    machine.needs("kustomize")
    text = READ.get(name) or REFUSED[name][0]
    (tmp_path / "a.yaml").write_text(text, "utf-8")
    (tmp_path / "kustomization.yaml").write_text("resources: [a.yaml]\n", "utf-8")
    built = machine.run("kustomize", "build", tmp_path, code=None)
    assert bool(built.returncode) == (name in REFUSED), built.stderr
