"""Finds, in syntax trees, the places where the source does something that an attacker could abuse."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "functions" / "krm_values"
KINDS = {
    "read": "Files that are read",
    "list": "Folders that are listed",
    "write": "Files and folders that are made, changed or removed",
    "expression": "Regular expressions",
    "hash": "Hashes and MACs",
    "program": "Programs that are run, and processes that are ended",
    "network": "The network",
    "code": "Code that is loaded or made while running",
    "environment": "The environment that is read",
    "message": "What people read",
}
_MODULES = {
    "re": "expression",
    "re2": "expression",
    "hashlib": "hash",
    "hmac": "hash",
    "subprocess": "program",
    "socket": "network",
    "ssl": "network",
    "urllib3": "network",
    "importlib": "code",
    "runpy": "code",
    "pickle": "code",
    "marshal": "code",
    "tempfile": "write",
}
_OS = {
    "read": ("open", "fdopen", "read", "pread", "readlink", "getxattr"),
    "list": ("scandir", "listdir", "walk", "fwalk", "listxattr"),
    "write": (
        *("mkdir", "makedirs", "rename", "renames", "replace", "unlink", "remove", "removedirs", "rmdir", "link", "symlink"),
        *("chmod", "fchmod", "lchmod", "chown", "fchown", "lchown", "setxattr", "removexattr", "truncate", "ftruncate"),
        *("write", "pwrite", "utime", "mkfifo", "mknod", "copy_file_range", "sendfile"),
    ),
    "program": ("system", "popen", "fork", "forkpty", "kill", "killpg", "posix_spawn", "posix_spawnp", "startfile"),
    "environment": ("getenv", "putenv", "unsetenv"),
}
_OF_OS = {name: kind for kind, names in _OS.items() for name in names}
_METHODS = {
    **dict.fromkeys(("read_bytes", "read_text", "open"), "read"),
    **dict.fromkeys(("glob", "rglob", "iterdir"), "list"),
    **dict.fromkeys(("write_bytes", "write_text", "mkdir", "touch", "unlink", "rmdir", "symlink_to", "hardlink_to"), "write"),
    **dict.fromkeys(("chmod", "lchmod", "rename", "rmtree", "copytree", "copyfile", "copy2"), "write"),
    **dict.fromkeys(("getproxies", "proxy_bypass"), "environment"),
    **dict.fromkeys(("excepthook", "print_exception", "print_exc"), "message"),
}
_BUILT_IN = {
    "pattern": "expression",
    "open": "read",
    "exec": "code",
    "eval": "code",
    "compile": "code",
    "__import__": "code",
    "print": "message",
}
_PRINTERS = ("say", "say_error", "tell", "getproxies", "proxy_bypass")
_STREAMS = {"sys.stdin": "read", "sys.stdout": "message", "sys.stderr": "message"}
_QUESTIONS = ("isatty", "fileno", "flush")
_PASSED = {("out", "write"), ("out", "writelines"), ("console", "print"), ("Console(file=out)", "print")}
"""Streams for people that a function is given."""

Site = tuple[str, str, str]
"""Kind, file, call."""


@functools.cache
def sites() -> dict[Site, list[str]]:
    """Return the functions with each kind of place."""
    found: dict[Site, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        for function, kind, call in _of(ast.parse(path.read_text("utf-8")), ""):
            if function not in found[kind, name, call]:
                found[kind, name, call].append(function)
    return dict(found)


def aliases() -> list[str]:
    """Return imports that would hide a call behind another name."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = path.relative_to(PACKAGE).as_posix()
            if isinstance(node, ast.ImportFrom) and node.module in {*_MODULES, "os", "os.path", "shutil", "builtins"}:
                found += [f"{name}: from {node.module} import {alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                found += [
                    f"{name}: import {alias.name} as {alias.asname}"
                    for alias in node.names
                    if alias.asname and alias.name in _MODULES
                ]
    return found


def _of(tree: ast.AST, inside: str) -> Iterator[tuple[str, str, str]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield from _of(node, f"{inside}.{node.name}".lstrip("."))
            continue
        if isinstance(node, ast.Call) and (found := _kind(node)):
            yield inside, *found
        elif isinstance(node, ast.Attribute) and node.attr == "environ" and ast.unparse(node) == "os.environ":
            yield inside, "environment", "os.environ"
        yield from _of(node, inside)


def _kind(node: ast.Call) -> tuple[str, str] | None:
    """Return the kind of a call and how it is written."""
    if isinstance(node.func, ast.Name):
        name = node.func.id
        return (_BUILT_IN.get(name) or _METHODS.get(name) or "message", name) if name in {*_BUILT_IN, *_PRINTERS} else None
    if not isinstance(node.func, ast.Attribute):
        return None
    owner, name = ast.unparse(node.func.value), node.func.attr
    if owner in _MODULES:
        return _MODULES[owner], f"{owner}.{name}"
    if owner == "os":
        is_program = name.startswith(("exec", "spawn"))
        kind = "program" if is_program else _OF_OS.get(name)
        return (kind, f"os.{name}") if kind else None
    for stream, kind in _STREAMS.items():
        if owner.startswith(stream) and name not in _QUESTIONS:
            return kind, f"{owner}.{name}"
    if name == "replace" and len(node.args) == 1 and not node.keywords:
        return "write", "Path.replace"  # that of a string takes two
    if (owner, name) in _PASSED:
        return "message", f"{owner}.{name}"
    return (_METHODS[name], f"{'shutil' if owner == 'shutil' else 'Path'}.{name}") if name in _METHODS else None
