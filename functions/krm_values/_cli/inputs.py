"""`krm-values inputs`: every path that the render of a directory depends on, for path filters of CI, build systems and Argo CD."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._cli import render
from krm_values._data.shown import printable
from krm_values._explain import forms
from krm_values._krm import kptfile
from krm_values._krm.packages import IGNORE
from krm_values._run import registry, tools
from krm_values._run.pipeline import named_below, tasks_of
from krm_values._run.terminal import tell

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from krm_values._krm.packages import Package

FILE, DIRECTORY, LINK = "file", "directory", "link"
"""What of a path counts: the content of a file, the names in a directory, where a link leads."""
_BY_EXISTENCE = (kptfile.NAME, "Chart.yaml", "templates")
"""The names whose existence alone decides what is read: behind a link it is that of its target."""
_LINKS = 40


def run(options: Namespace) -> int:
    """Print the paths and return the exit code."""
    render.check_function(options)
    directory = Path(options.directory)
    with named_below(directory):
        root = render.read(directory, options)
        found = dict(_inputs(directory, root, options))
    match options.output:
        case "argocd":
            print(_for_argocd(directory, found))
        case forms.TEXT:
            for path in sorted(found):
                print(printable(_shown(directory, path) + "/" * (found[path] == DIRECTORY)))
        case form:
            forms.put_data({"inputs": [{"path": _shown(directory, path), "type": found[path]} for path in sorted(found)]}, form)
    return 0


def _inputs(directory: Path, root: Package, options: Namespace) -> Iterator[tuple[str, str]]:
    """Yield each absolute path, of which the directory is real, and what of it counts. A path may come twice."""
    base = os.path.realpath(directory)
    for package in root.walk():
        folder = os.path.normpath(os.path.join(base, package.path))
        always = [name for name in (kptfile.NAME, IGNORE) if os.path.lexists(os.path.join(folder, name))]  # also if ignored
        yield from _through(folder, *always, *(file.path for file in package.files))
    for folder, below, names in os.walk(base):  # a Kptfile makes a package of any of them, also of one that is ignored
        yield folder, DIRECTORY
        below[:] = [name for name in below if name != ".git"]
        links = [name for name in _BY_EXISTENCE if name in names or name in below]
        yield from _through(folder, *(name for name in links if os.path.islink(os.path.join(folder, name))))
    if options.config is not None:
        yield from _through(os.getcwd(), options.config)
    for program in _programs(root, options):
        yield from _through("/", program)


def _through(folder: str, *names: str) -> Iterator[tuple[str, str]]:
    """Yield each link on the way to these files of a folder, and the files themselves, if they exist."""
    for name in names:
        at, parts, links = os.path.realpath("/" if os.path.isabs(name) else folder), name.split("/")[::-1], 0
        while parts and links < _LINKS:
            at = os.path.normpath(os.path.join(at, parts.pop()))
            if os.path.islink(at):
                yield at, LINK
                links += 1
                target = os.readlink(at)
                at = "/" if os.path.isabs(target) else os.path.dirname(at)
                parts += target.split("/")[::-1]
        if os.path.isfile(at):
            yield at, FILE


def _programs(root: Package, options: Namespace) -> Iterator[str]:
    """Yield the programs that steps get, by the command line or the environment."""
    calls = [task.call for task in tasks_of(root, skip_foreign=True) if task.call]
    named = tools.on_command_line(options, options.function or "")
    functions = [(options.function, False)] if options.function else [(call.function, call.hermetic) for call in calls]
    tools.refuse_unused(named, [name for name, _ in functions])
    known = registry.functions()
    for name, is_hermetic in functions:
        for function in [name] if name else known:  # the functionConfig names it
            for tool in registry.load(function).tools:
                program = named.get(tool) or ("" if is_hermetic else os.environ.get(tools.variable(tool), ""))
                if found := tools.find_program(program) if program else None:
                    yield found


def _shown(directory: Path, path: str) -> str:
    """Return a path as a caller in the working directory writes it: below the directory as that was named."""
    inside = os.path.relpath(path, os.path.realpath(directory))
    return os.path.relpath(path) if _is_outside(inside) else os.path.normpath(os.path.join(directory, inside))


def _is_outside(path: str) -> bool:
    return path == os.pardir or path.startswith(os.pardir + os.sep)


# Argo CD takes a changed file for an input if it is one of the paths, is below one of them, or matches one as a shell pattern.


def _for_argocd(directory: Path, found: dict[str, str]) -> str:
    """Return the value of the annotation `argocd.argoproj.io/manifest-generate-paths`, with paths relative to the directory.

    All that is below the directory is one of them, since a new file may be an input.
    """
    named, base = os.path.abspath(directory), os.path.realpath(directory)
    top = next((above for above in (named, *map(str, Path(named).parents)) if os.path.lexists(os.path.join(above, ".git"))), "")
    values = ["."]
    outside = [base] if base != named and top else []
    for path in [*outside, *(path for path in sorted(found) if _is_outside(os.path.relpath(path, base)))]:
        in_repository = os.path.relpath(path, os.path.realpath(top)) if top else ""
        if _is_outside(in_repository):
            tell(f"warning: {path}: lies outside of the git repository, so Argo CD sees no change of it")
            continue
        values.append(_pattern(os.path.relpath(os.path.join(top, in_repository) if top else path, named)))
    return ";".join(dict.fromkeys(values))


def _pattern(path: str) -> str:
    """Return a path as Argo CD reads it; a name that its list cannot hold becomes a shell pattern."""
    if ";" not in path and path == path.strip():
        return printable(path)
    kept = "".join(f"\\{character}" if character in "*?[\\" else character for character in path)
    inner = kept.strip().replace(";", "?")
    return printable(inner + "?" * (len(kept) - len(kept.rstrip())))
