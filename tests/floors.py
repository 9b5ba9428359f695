"""Which room may import which. Imports for typing and inside functions count as well."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "functions"
ROOT = "krm_values"

FOUNDATION = ("_data", "_yaml", "_go", "_krm", "_run")
"""What a function may import beside itself."""
BELOW: dict[str, tuple[str, ...]] = {
    "_data": (),
    "_yaml": ("_data",),
    "_yaml.edit": ("_data", "_yaml"),
    "_go": ("_data", "_yaml"),
    "_krm": ("_data", "_yaml", "_go"),
    "_run": ("_data", "_yaml", "_go", "_krm"),
    "_explain": FOUNDATION,
    "_fleet": (*FOUNDATION, "_explain"),
    "_cli": (*FOUNDATION, "_explain", "_fleet"),
}
"""What each room may import beside itself."""
IMPURE = {
    "_yaml.libyaml",
    "_krm.files",
    "_krm.packages",
    "_krm.write",
    "_run.containers",
    "_run.foreign",
    "_run.pipe",
    "_run.pipeline",
    "_run.plain_files",
    "_run.registry",
    "_run.invoke",
    "_run.terminal",
    "_run.tools",
    "_explain",
    "_fleet",
    "_cli",
    "cartographer_params.tools",
    "envgene_sd.commands",
    "envgene_sd.repository",
    "glasskube_values.data_entry",
    "glasskube_values.files",
}
"""The only rooms and modules that may reach beyond the process: files, programs, the network, the environment."""
OUTSIDE = {"os", "sys", "socket", "subprocess", "urllib3", "shutil", "tempfile", "signal"}
LIBRARIES = {
    "pydantic": ["_krm.model"],
    "yaml": ["_yaml.edit.reprint", "_yaml.libyaml"],
    "ruamel": ["_yaml.edit.reprint"],
    "re2": ["_go.regexp"],
    "urllib3": ["envgene_sd.repository.client"],
    "docker": ["_run.containers"],
    "cryptography": ["envgene_sd.repository.credentials"],
}
"""Who imports a library: one module each. PyYAML's parser reads, and with ruamel's round trip it reprints what aliases share."""
OWN_LIBRARIES = ("_data", "_yaml", "_go")
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
FUNCTIONS = sorted(name for name in MODULES if name and "." not in name and not name.startswith("_") and name != "testing")


@functools.cache
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


@functools.cache
def imports() -> dict[str, set[str]]:
    """Return what each module imports of this package."""
    return {name: _ours(name) for name in MODULES}


def _is_in(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


def _room(name: str) -> str:
    """Return the innermost room of the table that contains a module."""
    return max((room for room in BELOW if _is_in(name, room)), key=len, default=name.partition(".")[0])


def above() -> list[str]:
    """Return each import of a module from a floor above its own. The public face and a folder without code are exempt."""
    found = []
    for name in MODULES.keys() - {""}:
        room = _room(name)
        allowed = (room, *BELOW.get(room, (*FOUNDATION, room)))
        found += [f"{name} imports {other}" for other in imports()[name] if not any(_is_in(other, below) for below in allowed)]
    return sorted(found)


def strangers() -> list[str]:
    """Return what our own libraries know of this product."""
    found = []
    for name in (name for name in MODULES if name.split(".")[0] in OWN_LIBRARIES):
        lines = MODULES[name].read_text("utf-8").splitlines()
        text = "\n".join(line for line in lines if not line.lstrip().startswith(("from ", "import ")))
        found += [f"{name} names {word}" for word in re.findall(STRANGERS, text, re.IGNORECASE)]
    return found


def reaching() -> list[str]:
    """Return what reaches beyond the process and must not, and who imports a library beside its one importer."""
    found = []
    for name, path in MODULES.items():
        imported = {entry.split(".")[0] for entry in _imported(path)}
        if not any(_is_in(name, room) for room in IMPURE):
            found += [f"{name} imports {outside}" for outside in sorted(imported & OUTSIDE)]
        found += [f"{name} imports {library}" for library in sorted(imported & {*LIBRARIES}) if name not in LIBRARIES[library]]
    return found


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """Return the nodes that are part of a circle of a graph, or lead into one."""
    left = dict(graph)
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    return sorted(left)


def _rooms() -> dict[str, dict[str, set[str]]]:
    """Return, by folder, which of its modules and rooms import which others."""
    found: dict[str, dict[str, set[str]]] = {}
    for name, others in imports().items():
        for other in others:
            one, two = name.split("."), other.split(".")
            same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))))
            if same in (len(one), len(two)):
                continue
            edges = found.setdefault(".".join(one[:same]), {})
            edges.setdefault(one[same], set()).add(two[same])
            edges.setdefault(two[same], set())
    return found


def circles() -> list[str]:
    """Return the files and the rooms that are part of a circle, or lead into one."""
    rooms = [f"{folder}: {' '.join(circle)}" for folder, edges in _rooms().items() if (circle := _circle(edges))]
    return [*_circle(imports()), *rooms]


WRITERS = {
    "_krm.write": "the writer",
    "_cli.main": "the null device, in place of a stdout that cannot be written",
    "_fleet.parcel": "files of a package that was sent, each new, in a private temporary directory",
    "_explain.git": "files of a revision, each new, in a private temporary directory; the links last",
}
"""The only modules that may create a file, change its content or its mode, each with the reason."""
_WRITING = re.compile(
    r"write_text|write_bytes|chmod|fchmod|lchmod|touch|symlink_to|hardlink_to|symlink|link|mkfifo|copy\w*|move"
)
"""Names of methods and functions that write, whatever they belong to."""
_OPEN_FLAGS = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC")


def _writes(node: ast.AST) -> str:
    """Return what a node calls or names that writes files, "" for nothing."""
    if isinstance(node, ast.Attribute) and node.attr in _OPEN_FLAGS:
        return node.attr
    if not isinstance(node, ast.Call):
        return ""
    is_method = isinstance(node.func, ast.Attribute)
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    owner = getattr(node.func.value, "id", "") if isinstance(node.func, ast.Attribute) else ""
    modes = [*node.args[int(not is_method or owner == "os") :], *(key.value for key in node.keywords if key.arg == "mode")]
    texts = [mode.value for mode in modes if isinstance(mode, ast.Constant) and isinstance(mode.value, str)]
    if name in ("open", "fdopen") and any(set(text) & set("wax+") for text in texts):
        return f"{name} to write"
    is_file = owner in ("os", "shutil") or not name.startswith(("copy", "move", "link", "symlink"))
    return name if is_file and _WRITING.fullmatch(name) else ""


def writing() -> list[str]:
    """Return each call that writes a file outside of the writers."""
    found = []
    for name, path in MODULES.items():
        if name not in WRITERS:
            nodes = ast.walk(ast.parse(path.read_text("utf-8")))
            found += [f"{name}:{node.lineno} {what}" for node in nodes if (what := _writes(node))]  # type: ignore[attr-defined]
    return found


def _shifts(node: ast.AST) -> bool:
    """Return whether an expression computes with the index of a path: `path[0] + 1`, or `(*path[:1], index + 1, *path[2:])`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        found = (
            ast.unparse(side.value)
            for side in (node.left, node.right)
            if isinstance(side, ast.Subscript) and not isinstance(side.slice, ast.Slice)
        )
        return any(text.endswith("path") for text in found)
    if not isinstance(node, ast.Tuple):
        return False
    is_path = isinstance(node.elts[0], ast.Starred) and isinstance(node.elts[-1], ast.Starred) if node.elts else False
    return is_path and any(isinstance(one, ast.BinOp) for one in node.elts)


def shifting() -> list[str]:
    """Return what computes with indices of paths outside of the one module for it, and the functions that use that: `_run.edited` has slots for them."""
    found = [
        f"{name} imports _data.shifting"
        for name in MODULES
        if name.split(".")[0] in FUNCTIONS and "_data.shifting" in imports()[name]
    ]
    for name, path in MODULES.items():
        if name != "_data.shifting":
            found += [f"{name}:{node.lineno}" for node in ast.walk(ast.parse(path.read_text("utf-8"))) if _shifts(node)]  # type: ignore[attr-defined]
    return found


RENDERERS = tuple(f"_explain.{name}" for name in ("text", "as_json", "compare", "composed", "layers", "where", "page"))
"""What prints a ledger: the values come from `_explain.shown`."""
_TRUE = ("_run.state", "_explain.authorship", "_explain.follow", "_krm.taint")
"""The modules that have true values, and those that tell which of them are secret."""
_DECIDES = {"_explain.masking": ("_explain.shown", "_explain.follow")}
"""The rules of what must not be shown, and who asks them: what shows values, and what notes with a cell that it is one of those."""


def telling() -> list[str]:
    """Return where a renderer reads a true value, what decides itself what may be shown, and each text that says "hidden" outside of the word's module."""
    found = []
    for name, path in MODULES.items():
        tree = ast.parse(path.read_text("utf-8"))
        found += [
            f"{name} decides by {rules}" for rules, known in _DECIDES.items() if rules in imports()[name] and name not in known
        ]
        if name != "_krm.taint":
            found += [f"{name}:{node.lineno} says it itself" for node in _texts(tree) if "<hidden>" in str(node.value)]
        if any(_is_in(name, room) for room in RENDERERS):
            found += [f"{name} imports {other}" for other in imports()[name] if other in _TRUE]
            found += [f"{name}:{node.lineno} reads {ast.unparse(node)}" for node in _values(tree)]
    return found


def _texts(tree: ast.AST) -> list[ast.Constant]:
    """Return the texts of a module that are no docstrings."""
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [node for node in found if id(node) not in documented]


def _values(tree: ast.AST) -> list[ast.Attribute]:
    """Return where the value of something is read, unless only to see whether there is one."""
    nodes = [*ast.walk(tree)]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    asked = {id(node.left) for node in nodes if isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]) == "ABSENT"}
    return [
        node for node in nodes if isinstance(node, ast.Attribute) and node.attr == "value" and id(node) not in called | asked
    ]


CHECKS: dict[str, Callable[[], list[str]]] = {
    "floor": above,
    "library": strangers,
    "reach": reaching,
    "circle": circles,
    "write": writing,
    "shift": shifting,
    "hidden": telling,
}
