"""Packages that differ in the values of their Secrets only, and all that commands print and write of them outside of what these fill."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml as pyyaml

from tests.secrets.commands import contents, krm
from tests.secrets.judge import Places, of_secrets
from tests.secrets.looks import looks
from tests.secrets.markers import elsewhere, in_base64, places, texts_of, without
from tests.secrets.trees import EXAMPLES, chain, rewrite, write_files

STATES = ("fresh", "rendered", "rendered twice")
_LAYER = (
    "        - {resource: {apiGroup: v1, kind: ConfigMap, name: layer, namespace: team}, patch: {op: add, path: /data/values}"
)
_TEMPLATE = r""", valueTemplate: '"pw: {{ . }}\n"'}"""


@dataclass
class Said:
    """What one command printed, without Secrets and what they fill."""

    command: str
    code: int
    stdout: str
    stderr: str


def filled(item: Any, values: Sequence[str]) -> Any:
    """A Secret with one of the values, in turn, in place of each text that it holds, in texts of YAML of each text in these."""
    if not isinstance(item, dict) or item.get("kind") != "Secret":
        return item
    turn = iter(values * 100)
    result = deepcopy(item)
    for key, value in (item.get("stringData") or {}).items():
        result["stringData"][key] = _in_text(value, turn) if isinstance(value, str) else value
    for key, value in (item.get("data") or {}).items():
        result["data"][key] = in_base64(value, lambda text: _in_text(text, turn))
    return result


def _in_text(text: str, turn: Any) -> str:
    try:
        root = pyyaml.compose(text)
    except pyyaml.YAMLError:
        root = None
    if not isinstance(root, pyyaml.CollectionNode):
        return next(turn) if text else text
    for start, end in sorted(texts_of(root), reverse=True):
        text = text[:start] + json.dumps(next(turn), ensure_ascii=False) + text[end:]
    return text


def package(directory: Path, story: Path | str, values: Sequence[str]) -> Path:
    """A copy of an example, or of the package on which all functions work, with these values in its Secrets."""
    if isinstance(story, str):
        files = {name: text.replace("@@", "seed") for name, text in chain(story).items()}
        assert f"{_LAYER}{_TEMPLATE}\n" in files["manifest.yaml"]  # there a value may become syntax of the layer
        files["manifest.yaml"] = files["manifest.yaml"].replace(f"{_LAYER}{_TEMPLATE}\n", "") + f"{_LAYER}}}\n"
        write_files(directory, files)
    else:
        shutil.copytree(EXAMPLES / story, directory, ignore=shutil.ignore_patterns(".expected"))
    rewrite(directory, lambda found: filled(found, values))
    return directory


class Watch:
    """Runs commands in a package and keeps what is seen of them by who may not see Secrets."""

    def __init__(self, directory: Path) -> None:
        self.directory, self.said = directory, list[Said]()
        self._allowed: Places = set()

    def all(self, change: Callable[[Path], None] | None = None) -> list[Said]:
        """Every command on the package as it is, after its own render, and after another one. change: what is done to it in between.

        A render that changes nothing is the last one: what follows would see the same files.
        """
        for state in STATES:
            self._looks(state)
            before = contents(self.directory)
            self._run(state, "render", "-v", ".")
            self._files(state, self.directory)
            if change:
                change(self.directory)
            elif contents(self.directory) == before:
                break
        return self.said

    def questions(self) -> list[Said]:
        """Every command that says where values come from, before and after a render."""
        for state in STATES[:2]:
            for what, code, out, err in looks(self.directory):
                self.said.append(Said(f"{state}: {what}", code, out.decode(), self._named(err.decode())))
            self._run(state, "render", self.directory)
        return self.said

    def _looks(self, state: str) -> None:
        explanation = self._run(state, "explain", "--json", ".")
        self._allowed = of_secrets(explanation, self._allowed) if explanation.startswith(b"{") else self._allowed
        for arguments in (
            ["explain", "."],
            ["explain", "--patch", "."],
            ["render", "--diff", "."],
            ["check", "-v", "."],
            ["inputs", "."],
            ["lint", "glasskube-values", "."],
            ["lint", "flux-values", "."],
        ):
            self._run(state, *arguments)
        beside = self.directory.parent
        self._run(state, "render", "--diff", "-v", ".", "--results-dir", beside / "results")
        self._files(f"{state}: results", beside / "results")
        for form in ("stdout", "unwrap"):
            self._run(state, "render", ".", "-o", form, resources=True)
        self._run(state, "render", ".", "-o", beside / "elsewhere")
        self._files(f"{state}: -o", beside / "elsewhere")
        for folder in ("results", "elsewhere"):
            shutil.rmtree(beside / folder, ignore_errors=True)

    def _run(self, state: str, *arguments: object, resources: bool = False) -> bytes:
        os.chdir(self.directory)
        done = krm(*arguments)
        out = done.stdout.decode()
        seen = without(out, places(out, self._allowed)) if resources else out
        command = " ".join(map(str, arguments)).replace(str(self.directory.parent), "..")
        self.said.append(Said(f"{state}: {command}", done.code, seen, self._named(done.stderr.decode())))
        return done.stdout

    def _files(self, state: str, folder: Path) -> None:
        for name, content in contents(folder).items():
            mode = stat.S_IMODE((folder / name).stat().st_mode)
            seen = elsewhere(name, content, self._allowed).decode()
            self.said.append(Said(f"{state}: {name} {mode:o}", 0, self._named(seen), ""))

    def _named(self, text: str) -> str:
        return text.replace(str(self.directory.parent), "..")


def differences(one: Sequence[Said], other: Sequence[Said]) -> list[str]:
    """In what two packages differ, for people."""
    found = [f"{first.command}: {name}" for first, second in zip(one, other, strict=False) for name in _fields(first, second)]
    return [*found, *(["number of commands and files"] if len(one) != len(other) else [])]


def _fields(one: Said, other: Said) -> list[str]:
    return [
        f"{name}\n- {getattr(one, name)}\n+ {getattr(other, name)}"
        for name in ("command", "code", "stdout", "stderr")
        if getattr(one, name) != getattr(other, name)
    ]
