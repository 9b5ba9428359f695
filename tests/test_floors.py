"""Which room may import which. Imports for typing and inside functions count as well."""

from __future__ import annotations

import ast
import re
from collections import Counter
from itertools import takewhile
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "functions"
ROOT = "krm_values"
MOST = 13  # modules and rooms of one folder
EXEMPT = (ROOT,)
"""Folders that may hold more: each function is a folder of the package itself."""

BELOW: dict[str, tuple[str, ...]] = {
    "_data": (),
    "_yaml": ("_data",),
    "_yaml.edit": ("_data", "_yaml"),
    "_golang": ("_data", "_yaml"),
    "_golang.jsonpath": ("_data", "_golang"),
    "_golang.template": ("_data", "_golang"),
    "_kit.planner": ("_data", "_yaml", "_golang"),
    "_kit.config": ("_data", "_yaml", "_golang", "_kit.planner"),
    "_kit.kio": ("_data", "_yaml", "_golang", "_kit.planner"),
    "_kit.layers": ("_data", "_yaml", "_golang", "_kit.planner"),
    "_kit.engine": ("_data", "_yaml", "_golang", "_kit.planner", "_kit.config", "_kit.kio", "_kit.layers"),
    "_kit.undo": ("_data", "_yaml", "_golang", "_kit.planner", "_kit.config", "_kit.kio", "_kit.layers", "_kit.engine"),
    "_kit.api": (
        "_data",
        "_yaml",
        "_golang",
        "_kit.planner",
        "_kit.config",
        "_kit.kio",
        "_kit.layers",
        "_kit.engine",
        "_kit.undo",
    ),
    "_kit.process": ("_data", "_yaml", "_golang", "_kit"),
    "_cli": ("_data", "_yaml", "_golang", "_kit"),
}
"""What each room may import beside itself. A function may import all that the command line may, and itself."""
IMPURE = {
    "_yaml.libyaml",
    "_kit.process",
    "_cli",
    "cartographer_params.stamp.ytt_process",
    "cartographer_params.tools",
    "envgene_sd.artifacts",
    "envgene_sd.web",
    "envgene_sd.commands",
    "glasskube_values.commands",
    "glasskube_values.lint.command",
    "glasskube_values.lint.files",
}
"""The only rooms and modules that may reach beyond the process: files, programs, the network, the environment."""
OUTSIDE = {"os", "sys", "socket", "subprocess", "urllib3", "shutil", "tempfile", "signal"}
LIBRARIES = {
    "pydantic": ["_kit.config.model"],
    "yaml": ["_yaml.edit.reprint", "_yaml.libyaml", "_yaml.python_parser"],
    "ruamel": ["_yaml.edit.reprint"],
    "re2": ["_golang.regexp"],
    "jsonschema": ["layered_values.schema.validator"],
    "urllib3": ["envgene_sd.artifacts.transport"],
    "cryptography": ["envgene_sd.artifacts.decryption"],
}
"""Who imports a library: one module each. PyYAML's parser reads, and with ruamel's round trip it reprints what aliases share."""
OWN_LIBRARIES = ("_data", "_yaml", "_golang")
STRANGERS = (
    r"krm|kpt|kustomize|kubectl|tekton|giant.?swarm|flux|cartographer|glasskube|envgene|function.?config|resource.?list"
    r"|config.?map|environ\b|getenv|\brules? [DS]?\d|\[[DS]\d"
)
"""What our libraries must not name: this product, its functions, the hosts, the environment, and numbers of rules."""


def _modules() -> dict[str, Path]:
    """Return every module by its dotted name below the package; a folder by its `__init__`."""
    found = {}
    for path in sorted((SOURCES / ROOT).rglob("*.py")):
        parts = path.relative_to(SOURCES / ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()
FUNCTIONS = sorted(name for name in MODULES if name and "." not in name and not name.startswith("_"))


def _imported(path: Path) -> set[str]:
    """Return every name that a file imports, dotted."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _ours(name: str) -> set[str]:
    """Return the modules of this package that a module imports."""
    found = set()
    for entry in _imported(MODULES[name]):
        if entry.startswith(f"{ROOT}."):
            inner = entry.removeprefix(f"{ROOT}.")
            found.add(inner if inner in MODULES else inner.rpartition(".")[0])
    return found - {name}


IMPORTS = {name: _ours(name) for name in MODULES}


def _is_in(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


def _room(name: str) -> str:
    """Return the innermost room of the table that contains a module."""
    return max((room for room in BELOW if _is_in(name, room)), key=len, default=name.partition(".")[0])


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_from_its_own_floor_and_below(name):
    if name in ("", "_kit"):
        return  # the public face, and a folder without code
    room = _room(name)
    allowed = (room, *BELOW.get(room, (*BELOW["_cli"], room)))
    assert not [other for other in IMPORTS[name] if not any(_is_in(other, below) for below in allowed)]


@pytest.mark.parametrize("name", [name for name in MODULES if name.split(".")[0] in OWN_LIBRARIES])
def test_a_library_knows_nothing_of_this_product(name):
    lines = MODULES[name].read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith(("from ", "import ")))
    assert re.findall(STRANGERS, text, re.IGNORECASE) == []


@pytest.mark.parametrize("library", OWN_LIBRARIES)
def test_the_example_of_a_library_runs(library):
    readme = (SOURCES / ROOT / library / "README.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert "assert " in example
    assert len([line for line in example.splitlines() if line]) <= 5
    exec(compile(example, f"{library}/README.md", "exec"), {})


def test_only_the_public_face_and_the_functions_have_code_in_their_folders():
    having = [
        name for name, path in MODULES.items() if path.name == "__init__.py" and len(ast.parse(path.read_text()).body) > 1
    ]
    assert having == sorted(["", "envgene_sd.commands", "glasskube_values.commands", *FUNCTIONS])


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """Return the nodes that are part of a circle of a graph, or lead into one."""
    left = dict(graph)
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    return sorted(left)


def test_no_circle_of_files():
    assert _circle(IMPORTS) == []


def _rooms() -> dict[str, dict[str, set[str]]]:
    """Return, by folder, which of its modules and rooms import which others."""
    found: dict[str, dict[str, set[str]]] = {}
    for name, others in IMPORTS.items():
        for other in others:
            one, two = name.split("."), other.split(".")
            same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))))
            if same in (len(one), len(two)):
                continue
            edges = found.setdefault(".".join(one[:same]), {})
            edges.setdefault(one[same], set()).add(two[same])
            edges.setdefault(two[same], set())
    return found


def test_no_circle_of_rooms():
    assert {folder: circle for folder, edges in _rooms().items() if (circle := _circle(edges))} == {}


def test_no_folder_holds_more_than_thirteen_modules_and_rooms():
    parents = Counter(f"{ROOT}.{name}".rpartition(".")[0] for name in MODULES if name)
    assert {folder: count for folder, count in parents.items() if count > MOST and folder not in EXEMPT} == {}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_has_one_importer(library):
    assert (
        sorted(n for n, path in MODULES.items() if any(e.split(".")[0] == library for e in _imported(path)))
        == LIBRARIES[library]
    )


@pytest.mark.parametrize("name", [name for name in MODULES if not any(_is_in(name, room) for room in IMPURE)])
def test_only_impure_rooms_reach_beyond_the_process(name):
    assert not {entry.split(".")[0] for entry in _imported(MODULES[name])} & OUTSIDE
