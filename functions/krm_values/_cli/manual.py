"""Information about the package's functions and their findings: `list`, `schema`, `docs`, and the version."""

# ruff: noqa: PLC0415 - libraries for people are slow to import

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import UsageError
from krm_values._krm import names
from krm_values._run import kinds, registry

if TYPE_CHECKING:
    from typing import Any, TextIO


def summary(name: str) -> str:
    """Return the first line of the function's docstring."""
    package = registry.load(name).package
    return (sys.modules[package].__doc__ or "").strip().split("\n")[0]


def page(name: str) -> str:
    """Return the function's manual page, as Markdown."""
    package = registry.load(name).package
    with open(os.path.join(sys.modules[package].__path__[0], "README.md"), encoding="utf-8") as file:
        return file.read()


def show_list(out: TextIO, form: str) -> None:
    """Print name and summary of each function, one per line, or as JSON or YAML."""
    known = registry.functions()
    width = max(map(len, known), default=0)
    if form == "text":
        out.write("".join(f"{name:{width}}  {summary(name)}\n" for name in known))
        return
    from krm_values._explain import forms

    forms.put_data({"functions": [{"name": name, "kind": names.kind(name), "summary": summary(name)} for name in known]}, form)


def show_page(name: str, out: TextIO) -> None:
    """Print the manual page of a function, or the entries on a kind of finding.

    It is formatted on a terminal, in a pager if somebody types there; as Markdown elsewhere.
    """
    text = _page_or_entries(name)
    if not out.isatty():
        out.write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(file=out)
    if not (sys.stdin and sys.stdin.isatty()):
        console.print(Markdown(text))
        return
    import pydoc

    with console.capture() as shown:
        console.print(Markdown(text))
    os.environ.setdefault("LESS", "FRX")  # colours, and no pager for what fits the screen
    pydoc.pager(shown.get())


def _page_or_entries(word: str) -> str:
    """Return the manual page of a function, or what there is on a kind of finding. UsageError names the nearest of both."""
    if found := kinds.entries(word):
        return kinds.as_markdown(found)
    functions = registry.functions()
    near = suggest.nearest(word, [*functions, *(entry.kind for entry in kinds.every())])
    if near and near not in functions and names.argument(word) not in functions:
        raise UsageError(f'no function and no kind of finding is called "{word}"; did you mean "{near}"?')
    return page(word)


def show_schema(name: str, out: TextIO) -> None:
    """Print the JSON Schema of the whole functionConfig."""
    import json  # only here

    out.write(json.dumps(schema(name), indent=2) + "\n")


def show_answer_schema(name: str, out: TextIO) -> None:
    """Print the JSON Schema of an answer: `explanation` or `comparison`, or those of a fleet."""
    of_one = name.removeprefix("fleet-")
    path = os.path.join(os.path.dirname(os.path.dirname(__file__)), "_explain", f"{of_one}.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if of_one != name:
        import json

        from krm_values._fleet import schema as fleets

        text = json.dumps(fleets.schema(name, json.loads(text)["$defs"]), indent=1) + "\n"
    out.write(text)


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of the function's own kind, with the `spec` of its model."""
    from krm_values._krm.model import published  # pydantic is slow to import

    spec = published(registry.load(name).form().schema)
    shared = {"$defs": spec.pop("$defs")} if "$defs" in spec else {}
    kind = names.kind(name)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": kind,
        "description": summary(name),
        "type": "object",
        "properties": {
            "apiVersion": {"const": names.API_VERSION},
            "kind": {"const": kind},
            "metadata": {"type": "object"},
            "spec": spec,
        },
        "required": ["apiVersion", "kind", *(["spec"] if spec.get("required") else [])],
        "additionalProperties": False,
        **shared,
    }
