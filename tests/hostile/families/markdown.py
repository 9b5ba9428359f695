"""What `compare --markdown` prints for a pull request: nothing of a package acts there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.hostile.attack import Attack
from tests.hostile.families.page import package

if TYPE_CHECKING:
    from pathlib import Path

    from tests.hostile.attack import Ended

COMPARE = ("krm-values", "compare", "package", "other", "--markdown")
TEMPORARY = ("tmp/any",)
"""A folder there is made and removed."""
OURS = re.compile(
    r"(### )?(- : )?( → |→|, because | changed| added| removed| moved| \(A\)| and | together|, from | and no longer from | )*"
)
"""All that may be in a line outside of code spans."""


def without_code(line: str) -> str:
    """A line without its code spans, as CommonMark reads them: from a run of backticks to the next run that is as long."""
    runs = [*re.finditer("`+", line)]
    text, at = "", 0
    while runs:
        first = runs.pop(0)
        if first.start() < at:
            continue
        last = next((one for one in runs if one.start() >= first.end() and len(one[0]) == len(first[0])), None)
        if last is not None:
            text, at = text + line[at : first.start()], last.end()
    return text + line[at:]


def _only_code(_: Path, ended: Ended) -> None:
    for line in ended.out.decode().splitlines():
        assert OURS.fullmatch(without_code(line)), f"outside of a code span: {without_code(line)!r}"
        assert not line.lstrip().startswith("::"), "a workflow command"


def _attack(name: str, tries: str, sees: str, layer: Any, other: Any) -> Attack:
    files = {**package(layer), **package(other, "other")}
    return Attack(f"Markdown: {name}", tries, COMPARE, sees, 1, files, writes=TEMPORARY, check=_only_code)


ATTACKS = [
    _attack("a mention", "call a team", "`'@team'`", {"a": 1}, {"a": "@team"}),
    _attack("a mention in a key", "call a team", '`["@org/team"]`', {"b": 1}, {"@org/team": 1}),
    _attack("a link", "be clicked", "`'[x](javascript:alert(1))'`", {"a": 1}, {"a": "[x](javascript:alert(1))"}),
    _attack("an address", "be clicked", "`'https://127.0.0.1:9/'`", {"a": 1}, {"a": "https://127.0.0.1:9/"}),
    _attack("an image", "be fetched", "![](http://127.0.0.1:9/x.png)", {"a": 1}, {"a": "![](http://127.0.0.1:9/x.png)"}),
    _attack("a backtick", "end the code span", "@team", {"a": 1}, {"a": "x` @team `y"}),
    _attack("runs of backticks", "end the code span", "@team", {"a": 1}, {"a": "x`` @team ``` @team ` @team ```` y"}),
    _attack("backticks at both ends", "end the code span", "@team", {"a": "`"}, {"a": "`` @team ``"}),
    _attack("a backslash before a backtick", "end the code span", "@team", {"a": 1}, {"a": "\\` @team \\`"}),
    _attack("a workflow command", "set an output of the job", "::set-output", {"a": 1}, {"a": "\n::set-output name=x::y\n"}),
    _attack("a workflow command in a key", "stop commands", "::stop-commands", {"b": 1}, {"\n::stop-commands::x\n": 1}),
    _attack("HTML", "be HTML", "<details open><img", {"a": 1}, {"a": "<details open><img src=x onerror=alert(1)><!--"}),
    _attack("pipes", "be a table", "| a | b |", {"a": 1}, {"a": "| a | b |\n| --- | --- |\n"}),
    _attack("a heading and a rule", "look like our words", "# approved", {"a": 1}, {"a": "x\n\n# approved\n\n---\n"}),
    _attack("issues and commits", "refer to them", "#1", {"a": 1}, {"a": "closes #1, deadbeef, GH-1, :tada:"}),
    _attack("right to left", "show text backwards", "\\u202e", {"a": 1}, {"a": "\u202emaet@\u2066"}),
]
