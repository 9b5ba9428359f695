"""Where a typo stands is where its finding points: on the line of the file that holds the wrong word, at that word or the key above it."""

from __future__ import annotations

import itertools
import re
import sys
from typing import Any

import pytest

from krm_values._cli.main import main
from krm_values._krm import names
from krm_values._yaml import emit
from tests.cli.packages import write
from tests.typos.test_typos import ALL


def written(data: Any) -> str:
    return "".join(f"{line}\n" for line in emit.block(data))


def path_of(item: Any) -> str:
    """The file that a host would name, where the function reads that."""
    metadata = item.get("metadata") if isinstance(item, dict) else None
    annotations = (metadata.get("annotations") if isinstance(metadata, dict) else None) or {}
    return str(annotations.get("config.kubernetes.io/path", ""))


@pytest.mark.parametrize(("function", "case"), ALL)
def test_the_place_of_a_typo_holds_the_wrong_word(function, case, tmp_path, monkeypatch, capsys):
    config: dict[str, Any] = {"apiVersion": names.API_VERSION, "kind": names.kind(function), "metadata": {"name": "c"}}
    config["spec"] = case.get("config") or {}
    file = next(filter(None, map(path_of, case["input"])), "in.yaml")
    texts = {file: "---\n".join(map(written, case["input"])), "c.yaml": written(config)}
    write(tmp_path, texts)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["krm-values"])
    main(["run", function, "--config", "c.yaml", file, "-v"])
    lines = capsys.readouterr().err.splitlines()
    naming = [line for line in lines if all(str(word) in line for word in case["names"])]
    assert naming, lines
    places = [re.match(r"\w+: (\S+\.yaml):(\d+):(\d+): ", line) for line in naming]
    assert all(places), naming
    shown = [standing(texts[place[1]], int(place[2]), int(place[3])) for place in places if place]
    words = [str(word).strip("`") for word in case["names"]]
    fields = [
        found[1] or found[2]
        for line in naming
        if (found := re.search(r"`(?:[^`]*\.)?(\w+)`: `\1` must|`(?:[^`]*\.)?(\w+)`: must", line))
    ]
    assert any(word[:20] in text for text in shown for word in words) or any(
        text.startswith(f"{field}:") for text in shown for field in fields
    ), (naming, shown)


def standing(text: str, line: int, column: int) -> str:
    """What stands at a place, with the lines below it that are indented deeper."""
    first, *others = text.splitlines()[line - 1 :]
    deeper = itertools.takewhile(lambda other: not other[:column].strip(), others)
    return "\n".join([first[column - 1 :], *deeper])
