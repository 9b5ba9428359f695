"""The shortest inputs that provoke the kinds of findings that no conformance case provokes: a file for each function, and one for what all report.

A document has `kind` and either resources or a command. Resources: `input`, or `change`, a JSON patch of the file's `base`, or `text`, where the
spelling counts; with `config`, the spec of the functionConfig; `many` says how often elements of lists stand there. A command: `call` in a directory with `files` and `links`, or `input` as
`input.yaml`; before it those of `first`, and then `edit`, a file with what is replaced in it and by what; with `stdin`, `environment` and `program`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonpatch
import jsonpointer

from krm_values._krm import findings
from krm_values._yaml import decode, emit
from tests.cli.packages import command, write
from tests.conformance import cases

FILES = sorted(Path(__file__).parent.glob("*.yaml"))
_ESCAPED = re.compile(r"\\(?=[\[\]])")
_TOLD = re.compile(r"(?P<line>(error|warning|info): .*?)( \[(?P<kind>[\w-]+)\])?")


def documents(file: Path) -> Iterator[dict[str, Any]]:
    """The documents of a file, with the input that a patch stands for."""
    base: list[Any] = []
    for text in f"\n{file.read_text('utf-8')}".split("\n---\n")[1:]:
        one: Any = decode.to_data(decode.parse(f"{text}\n"))
        if "base" in one:
            base = one["base"]
            continue
        if "change" in one:
            one["input"] = jsonpatch.apply_patch(base, one["change"])
        if "text" in one:
            one["input"] = [decode.to_data(decode.parse(each)) for each in one["text"].split("---\n")]
        for pointer, count in one.get("many", {}).items():
            _multiply(one, pointer, count)
        yield one


def _multiply(one: dict[str, Any], pointer: str, count: int) -> None:
    """Put copies of an element in its place, each with its number where the element has NUMBER."""
    *above, index = jsonpointer.JsonPointer(pointer).parts
    found = jsonpointer.JsonPointer.from_parts(above).resolve(one)
    element = json.dumps(found[int(index)])
    found[int(index) : int(index) + 1] = [json.loads(element.replace("NUMBER", str(number))) for number in range(count)]


def told(owner: str, one: dict[str, Any], folder: Path) -> list[tuple[str, str]]:
    """Kind and line of each finding of a document; no kind where a command does not print it. owner: the function of resources."""
    if "call" in one:
        return [*_of_command(one, folder)]
    given = cases.resource_list(one["input"], owner, one.get("config", {}))
    return [(each.kind, findings.line(each)) for each in cases.answer(given, {})[1].findings]


def _of_command(one: dict[str, Any], folder: Path) -> Iterator[tuple[str, str]]:
    folder.mkdir()
    written = ["\n".join([*emit.block(each), ""]) for each in one.get("input", [])]
    write(folder, {**one.get("files", {}), **({"input.yaml": "---\n".join(written)} if written else {})})
    for name, aim in one.get("links", {}).items():
        (folder / name).symlink_to(aim)
    for name in one.get("programs", []):
        (folder / name).chmod(0o755)
    for words in one.get("first", []):
        assert command(*words.split(), cwd=folder).returncode == 0
    if "edit" in one:
        name, old, new = one["edit"]
        write(folder, {name: (folder / name).read_text().replace(old, new)})
    words, named = one["call"].split(), {"program": one["program"]} if "program" in one else {}
    has_form = not named and words[0] != "envgene"
    form = ["--format", "sarif"] if has_form else []
    done = command(*words, *form, stdin=one.get("stdin", ""), cwd=folder, **named, **one.get("environment", {}))
    if has_form:
        for each in _of_sarif(done.stderr if '"runs"' in done.stderr else done.stdout):
            severity = {"note": "info"}.get(each["level"], each["level"])
            yield each["ruleId"], f"{severity}: {_ESCAPED.sub('', each['message']['text'])}"
    else:
        for match in filter(None, map(_TOLD.fullmatch, done.stderr.splitlines())):
            yield match["kind"] or "", match["line"]


def _of_sarif(text: str) -> list[dict[str, Any]]:
    """The results of the SARIF document in a text, which a summary may follow."""
    found: Any = json.JSONDecoder().raw_decode(text[text.index("{") :])[0]
    return list(found["runs"][0]["results"])
