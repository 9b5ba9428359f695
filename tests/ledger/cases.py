"""The cases of `cases.yaml`: a package, a command, and what its answer must say.

A case: {id, rule, package, edit?: [[file, old, new]], b?: edits of a second state, first?: [[command words]...], run: [words],
exit?, out?: [texts], not?: [texts], files?: {NAME: {out?, not?}}, again?: true, json?: {checks}}. An edit replaces the first `old` in the file; the
file is new where `old` is null, and is deleted where `old` is "" and `new` null. `A` and `B` in `run` are the two states; commands run in A.
`again`: the same files, written in reverse order, give the same bytes with another hash seed.

Checks of JSON:
  values: [{at: "KIND [NS/]NAME path[ » inner]", absent?, value?, removed?, hidden?, kind?, effective?, winner?: "FILE:LINE", layer?, origin?,
    losers?: ["FILE:LINE = VALUE[ at PATH][ (kept)]", ...] (all, in order), hops?: [at, ...], parts?: ["FILE:LINE", ...], because?: ["FILE:LINE", ...]}]
  differences: [{at, absent?, change?, before?, after?, cause?: ["FILE:LINE" or FILE, ...] (exactly these) or unknown, class?, proof?}]
  counts: {values|differences: N};  order: [at, ...];  strict: true (no key twice);  schema: NAME (of `krm-values schema`);  has: {"/pointer": value}
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from tests import strict_json
from tests.cli.packages import command, started, write

from krm_values._data.pointer import ABSENT, get

FILE = Path(__file__).with_name("cases.yaml")
COLUMNS = {"NO_COLOR": "1", "COLUMNS": "120"}


@cache
def read() -> dict[str, Any]:
    """The packages, by name, and the cases."""
    return yaml.load(FILE.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def edited(files: dict[str, str], edits: list[tuple[str, str | None, str | None]]) -> dict[str, str]:
    """The files after edits."""
    files = dict(files)
    for file, old, new in edits:
        if old is None:
            files[file] = str(new)
        elif new is None:
            del files[file]
        else:
            assert old in files[file], f"{file} has no {old!r}"
            files[file] = files[file].replace(old, new, 1)
    return files


def verdict(case: dict[str, Any], directory: Path) -> str:
    """Why a case fails, or ""."""
    a, b = directory / "a", directory / "b"
    files = edited(read()["packages"][case["package"]], case.get("edit", []))
    write(a, files)
    if "b" in case:
        write(b, edited(files, case["b"]))
    for words in case.get("first", ()):
        if words[0] in ("git", "env"):
            subprocess.run(words, cwd=a, check=True, capture_output=True)
        elif (done := command(*words, cwd=a, **COLUMNS)).returncode:
            return f"{words}: {done.stderr}"
    words = [{"A": str(a), "B": str(b)}.get(word, word) for word in case["run"]]
    done = command(*words, cwd=a, **COLUMNS)
    wrong = _judged(case, done, a)
    if wrong or not case.get("again"):
        return wrong
    shutil.rmtree(a)
    write(a, dict(reversed(files.items())))
    again = started(*words, cwd=a, PYTHONHASHSEED="7", **COLUMNS)
    return "" if again.stdout == done.stdout else "a second call prints something else"


def _judged(case: dict[str, Any], done: subprocess.CompletedProcess[str], a: Path) -> str:
    if done.returncode != case.get("exit", 0):
        return f"exit {done.returncode}: {done.stderr}"
    said = done.stdout + done.stderr
    said += re.sub(r"\s+", " ", said)  # also where a line was wrapped
    if wrong := _texts(case, said):
        return wrong
    for name, texts in case.get("files", {}).items():
        file = Path(os.path.normpath(a / name))
        if not file.exists():
            return f"no {name}"
        if wrong := _texts(texts, file.read_text("utf-8")):
            return f"{name}: {wrong}"
    return _in_json(case["json"], done.stdout) if "json" in case else ""


def _texts(wanted: dict[str, Any], said: str) -> str:
    missing = [text for text in wanted.get("out", ()) if text not in said]
    if missing:
        return f"does not say {missing}:\n{said}"
    found = [text for text in wanted.get("not", ()) if text in said]
    return f"says {found}:\n{said}" if found else ""


def _in_json(wanted: dict[str, Any], text: str) -> str:
    document: Any = strict_json.loads(text) if wanted.get("strict") else json.loads(text)
    for key, judge in (("values", _value), ("differences", _difference)):
        for entry in wanted.get(key, ()):
            found = [one for one in document[key] if title(one) == entry["at"]]
            if entry.get("absent") or not found:
                wrong = "is listed" if found else "" if entry.get("absent") else "is not listed"
            else:
                wrong = judge(entry, found[0], document)
            if wrong:
                return f"{entry['at']}: {wrong}"
        if len(document.get(key, ())) != wanted.get("counts", {}).get(key, len(document.get(key, ()))):
            return f"{len(document[key])} {key}"
    listed = [title(one) for one in (*document.get("values", ()), *document.get("differences", ()))]
    if (order := [one for one in listed if one in wanted.get("order", ())]) != wanted.get("order", []):
        return f"order {order}"
    for pointer, value in wanted.get("has", {}).items():
        path = tuple(int(part) if part.isdigit() else part for part in pointer.split("/")[1:])
        has: Any = get(document, path, ABSENT)
        if has != value:
            return f"{pointer} is {has!r}"
    return _form(wanted["schema"], document) if "schema" in wanted else ""


def _form(name: str, document: Any) -> str:
    form = Draft202012Validator(json.loads(command("schema", name).stdout))
    return "\n".join(error.message for error in form.iter_errors(document))


def title(entry: dict[str, Any]) -> str:
    """KIND [NS/]NAME path[ » inner] of a value, a difference or a hop."""
    resource = entry.get("resource", {})
    namespace = f"{resource['namespace']}/" if resource.get("namespace") else ""
    named = f"{resource.get('kind')} {namespace}{resource.get('name')} {entry.get('path', '')}".strip()
    return f"{named} » {entry['inner']}" if "inner" in entry else named


def _value(wanted: dict[str, Any], value: dict[str, Any], document: Any) -> str:
    winner = value.get("winner", {})
    found = {
        "value": value.get("value"),
        "removed": value.get("removed", False),
        "hidden": value.get("hidden", False),
        "kind": value["kind"],
        "layer": winner.get("layer"),
        "origin": winner.get("origin"),
        "effective": value.get("effective", {}).get("value"),
        "winner": _place(winner),
        "losers": [*map(_loser, value.get("overridden", ()))],
    }
    several = {
        "hops": [title(hop) + (" (earlier run)" if "written" in hop else "") for hop in winner.get("way", ())],
        "parts": [*map(_place, _with_parts(winner))],
        "because": [_place(document["references"][index]) for index in winner.get("because", ())],
    }
    wrong = [f"{key} {one!r}" for key, one in found.items() if key in wanted and wanted[key] != one]
    wrong += [f"{key} {listed}" for key, listed in several.items() if not {*wanted.get(key, ())} <= {*listed}]
    return ", ".join(wrong)


def _difference(wanted: dict[str, Any], one: dict[str, Any], document: Any) -> str:
    causes = {_place(cause) for cause in one["causes"]}
    named = [*wanted["cause"]] if isinstance(wanted.get("cause"), list) else []
    causes = {cause.rpartition(":")[0] if cause.rpartition(":")[0] in named else cause for cause in causes}
    sides = {side: one[side].get("value") for side in ("before", "after") if side in one}
    found = {"change": one["change"], "proof": one["proof"], **sides}
    wrong = [
        f"{key} {found.get(key)!r}"
        for key in ("change", "proof", "before", "after")
        if key in wanted and wanted[key] != found.get(key)
    ]
    wrong += [f"cause {sorted(causes)}"] if "cause" in wanted and sorted(causes) != sorted(named) else []
    classes = sorted(cause["class"] for cause in one["causes"])
    wrong += [f"class {classes}"] if "class" in wanted and classes != sorted(wanted["class"]) else []
    return ", ".join(wrong)


def _place(found: dict[str, Any]) -> str:
    """FILE:LINE of a cell, reference or cause; FILE, or the layer, where there is no line."""
    return f"{found['file']}:{found['line']}" if "line" in found else found.get("file") or found.get("layer", "?")


def _with_parts(cell: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell, *(one for part in cell.get("parts", ()) for one in _with_parts(part))]


def _loser(cell: dict[str, Any]) -> str:
    value = "<hidden>" if cell.get("hidden") else _flow(cell.get("value"))
    return f"{_place(cell)} = {value}" + (f" at {cell['at']}" if "at" in cell else "") + (" (kept)" if "kept" in cell else "")


def _flow(value: Any) -> str:
    return yaml.safe_dump(value, default_flow_style=True, width=10**6).replace("\n...", "").strip()
