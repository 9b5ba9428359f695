"""Makes a process start fast: garbage collection is off, and the byte code of all modules and patterns is in one file.

Finding and opening 150 modules takes a tenth of the instructions of a small run and more of its time; importing `re` and compiling patterns
takes as much again. `python -m krm_values._kit.process.start SCRIPT` writes an entry point for an image, and that file beside it. The file
holds byte code as it is at that time, so it is only for an image in which nothing is installed afterwards.
"""

# ruff: noqa: PLC0415 - commands import from the file, and what writes it is not needed then

from __future__ import annotations

import atexit
import gc
import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

_HEAD = 8  # bytes of the length of the index, which is first
_OTHERS = (
    "__future__", "_compression", "argparse", "base64", "bisect", "bz2", "collections", "contextlib", "copyreg", "enum",
    "encodings.utf_8_sig", "fnmatch", "functools", "gettext", "hashlib", "hmac", "ipaddress", "json", "json.decoder",
    "json.encoder", "json.scanner", "keyword", "locale", "lzma", "operator", "pathlib", "re", "re._casefix",
    "re._compiler", "re._constants", "re._parser", "reprlib", "shlex", "shutil", "struct", "types", "urllib",
    "urllib.parse", "warnings", "yaml.error", "yaml.events", "yaml.nodes", "yaml.tokens",
)  # fmt: skip
"""Modules outside the package that commands import."""


def without_collector() -> None:
    """Turn off the garbage collector for the rest of the process, including its end: in one pass over data it costs more than it frees."""
    gc.disable()
    atexit.register(gc.freeze)


def keep(*things: object) -> None:
    """Keep what a command has made until its process ends: freeing very many objects takes as long as making them.

    They form a reference cycle, which is never collected.
    """
    kept: list[object] = [*things]
    kept.append(kept)


def install(path: str) -> None:
    """Import modules from this file; nothing if it does not exist or another version of Python has written it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return
    size = int.from_bytes(os.read(descriptor, _HEAD), "big")
    version, modules, patterns = marshal.loads(os.pread(descriptor, size, _HEAD))  # noqa: S302 - our own file, as safe as a .pyc
    if version == sys.version:
        finder = _Finder(descriptor, _HEAD + size, modules, patterns)
        sys.meta_path.insert(0, finder)
        from krm_values._data import record  # out of the file

        record.compiled.append(finder.pattern)


def script(path: str, *lines: str) -> str:
    """Return the source of an entry point that imports from this file and does not need `site`. lines: what it runs first."""
    from sysconfig import get_path  # only to write the script

    folders = [os.path.dirname(sys.modules["krm_values"].__path__[0]), get_path("purelib"), get_path("platlib")]
    return "\n".join([
        f"#!{sys.executable} -IS",
        "import sys",
        f"sys.path += {[*dict.fromkeys(folders)]!r}",
        *lines,
        "from krm_values._kit.process.start import install",
        f"install({path!r})",
        "from krm_values._cli.main import main",
        "sys.exit(main())",
        "",
    ])  # fmt: skip


def write(path: str) -> None:
    """Write the file: an index with the place of each module and pattern, and their byte code."""
    codes, modules, patterns, at = [], {}, {}, 0
    for name, source, is_package in _sources():
        with open(source, "rb") as file:
            code = marshal.dumps(compile(file.read(), source, "exec", dont_inherit=True))
        codes.append(code)
        modules[name] = (at, len(code), source, is_package)
        at += len(code)
    for found in _patterns(modules):
        code = marshal.dumps(_compiled(found))
        codes.append(code)
        patterns[found] = (at, len(code))
        at += len(code)
    index = marshal.dumps((sys.version, modules, patterns))
    with open(path, "wb") as file:
        file.write(len(index).to_bytes(_HEAD, "big") + index + b"".join(codes))


def _sources() -> Iterator[tuple[str, str, bool]]:
    """Yield name and file of each module, and whether it is a package."""
    from importlib.util import find_spec  # only to write the file
    from pkgutil import walk_packages

    package = sys.modules["krm_values"]
    own = [found.name for found in walk_packages(package.__path__, "krm_values.", onerror=lambda _: None)]
    for name in ("krm_values", *own, *_OTHERS):
        found = find_spec(name)
        if found and found.origin and found.origin.endswith(".py"):
            yield name, found.origin, found.submodule_search_locations is not None


def _patterns(modules: Iterable[str]) -> set[str | bytes]:
    """Return the sources of the patterns that these modules define."""
    import importlib  # only to write the file

    from krm_values._data import record

    ours = [
        importlib.import_module(name) for name in modules if name.startswith("krm_values") and not name.endswith("__main__")
    ]
    found = [value for module in ours for value in vars(module).values()]
    return {value.source for value in found if isinstance(value, record.Pattern)}


def _compiled(source: str | bytes) -> tuple[Any, ...]:
    """Return the arguments with which `re.compile` calls the engine for a pattern."""
    import re  # only to write the file

    parser, compiler = vars(re)["_parser"], vars(re)["_compiler"]  # for this version of Python alone
    parsed = parser.parse(source, 0)
    flags = parsed.state.flags
    code = vars(compiler)["_code"](parsed, 0)
    names = parsed.state.groupdict
    numbered = [None] * parsed.state.groups
    for name, number in names.items():
        numbered[number] = name
    return source, int(flags), [*map(int, code)], parsed.state.groups - 1, names, tuple(numbered)


class _Finder:
    """Finds and loads the modules in the file.

    modules: place and length of the code, source and whether it is a package, by name. patterns: place and length, by source.
    """

    __slots__ = ("_begin", "_descriptor", "_modules", "_patterns")

    def __init__(
        self,
        descriptor: int,
        begin: int,
        modules: dict[str, tuple[int, int, str, bool]],
        patterns: dict[str | bytes, tuple[int, int]],
    ) -> None:
        self._descriptor, self._begin, self._modules, self._patterns = descriptor, begin, modules, patterns

    def pattern(self, source: str | bytes) -> Any:
        """Return a compiled pattern; None if the file does not have it."""
        if source not in self._patterns:
            return None
        import _sre  # type: ignore[import-not-found]  # the engine, without the compiler; the file is of this version of Python

        at, size = self._patterns[source]
        return _sre.compile(*marshal.loads(os.pread(self._descriptor, size, self._begin + at)))  # noqa: S302 - as above

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        found = self._modules.get(name)
        if found is None:
            return None
        _, _, source, is_package = found
        spec: ModuleSpec = type(sys.__spec__)(name, self, origin=source, is_package=is_package)  # type: ignore[arg-type]
        if is_package:
            spec.submodule_search_locations = [source.rpartition("/")[0]]
        return spec

    def create_module(self, _spec: ModuleSpec) -> None:
        """Let Python make the module."""

    def exec_module(self, module: ModuleType) -> None:
        at, size, module.__file__, _ = self._modules[module.__name__]
        exec(marshal.loads(os.pread(self._descriptor, size, self._begin + at)), module.__dict__)  # noqa: S102, S302 - as importing it does


if __name__ == "__main__":
    write(f"{sys.argv[1]}.bytecode")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(script(f"{sys.argv[1]}.bytecode"))
    os.chmod(sys.argv[1], 0o755)  # noqa: S103 - a program of an image
