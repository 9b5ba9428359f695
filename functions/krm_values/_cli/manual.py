"""Information about the package's functions: `list`, `schema`, `docs`, and the version."""

# ruff: noqa: PLC0415 - libraries for people are slow to import

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from krm_values._krm import names
from krm_values._run import registry

if TYPE_CHECKING:
    from typing import Any, TextIO


def version() -> str:
    """Return the installed version."""
    from importlib import metadata  # slow to import

    try:
        return metadata.version("krm-values")
    except metadata.PackageNotFoundError:
        return "(not installed)"


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
    """Print the manual page: formatted on a terminal, in a pager if somebody types there; as Markdown elsewhere."""
    text = page(name)
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


def show_schema(name: str, out: TextIO) -> None:
    """Print the JSON Schema of the whole functionConfig."""
    import json  # only here

    out.write(json.dumps(schema(name), indent=2) + "\n")


def show_answer_schema(name: str, out: TextIO) -> None:
    """Print the JSON Schema of an answer: `explanation` or `comparison`."""
    path = os.path.join(os.path.dirname(os.path.dirname(__file__)), "_explain", f"{name}.json")
    with open(path, encoding="utf-8") as file:
        out.write(file.read())


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
