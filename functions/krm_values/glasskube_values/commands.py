"""The commands of this function: `lint` and `schema` of manifests without a Package, and `glasskube new` and `set`, which write a Package."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator

    from krm_values.glasskube_values.lint.files import Found
    from krm_values.glasskube_values.manifest.manifest import Manifest

_SUFFIXES = (".yaml", ".yml", ".json")
_PACKAGE = ("package.yaml", "package.yml")
_NEW = """\
Print a Package for the manifest in MANIFEST (a package.yaml, or a PackageManifest or PackageInfo), with the values that are given. On a
terminal the other values are asked for, each with its default; without one the defaults are taken, and a required value that is not given is
an error. Each value is checked by its definition. With -o the Package is written to a new file.
"""
_SET = """\
Set values in the file of a Package, in place: each is checked by the manifest, and every other byte stays. The manifest is the one of the
Package's name in the same directory, unless --manifest names a file.
"""


def lint_arguments(parser: ArgumentParser) -> None:
    """Add the options of `lint`."""
    parser.add_argument("--strict", action="store_true", help="exit with 1 on warnings, too")


def lint(options: Namespace) -> int:
    """Print the findings on the manifests in files and directories, one per line; return 1 on an error, with `--strict` on any finding."""
    from krm_values._data.errors import InputError  # noqa: PLC0415
    from krm_values._data.printable import lines  # noqa: PLC0415
    from krm_values._kit.planner import findings  # noqa: PLC0415 - every command line is parsed with these arguments
    from krm_values._kit.process import formats  # noqa: PLC0415
    from krm_values.glasskube_values.lint.files import Files  # noqa: PLC0415

    files = Files()
    for name, content, is_package in _inputs(options.files):
        files.add(name, content, is_package=is_package)
    if not files.manifests and not files.findings:
        raise InputError("found no PackageManifest: name a package.yaml, or a file that holds one")
    found = findings.in_order(files.check())
    if options.format == formats.TEXT:
        for finding in found:
            print(f"{findings.line(finding)} [{finding.tags.get('lint', finding.kind)}]")
    else:
        print(*map(lines, formats.lines(found, options.format)), sep="\n")
    return int(any(options.strict or finding.severity == "error" for finding in found))


def schema_arguments(parser: ArgumentParser) -> None:
    """Add the options of `schema`."""
    text = "glasskube-values: print the schema of a Package's `spec.values` for the PackageManifest in FILE"
    parser.add_argument("--manifest", metavar="FILE", help=text)


def schema(options: Namespace) -> int | None:
    """Print the JSON Schema of `spec.values`; return None if no manifest is named."""
    if options.manifest is None:
        return None
    import json  # noqa: PLC0415 - every command line is parsed with these arguments

    from krm_values._data.printable import json_text  # noqa: PLC0415
    from krm_values.glasskube_values.schema.values import of_values  # noqa: PLC0415

    read = _manifest(options.manifest)
    print(json_text(json.dumps(of_values(read), indent=2, ensure_ascii=False)))
    return 0


def grammar(group: Callable[[str, str], Callable[..., ArgumentParser]]) -> None:
    """Add the commands."""
    command = group("glasskube", "write a Package of Glasskube by its manifest")
    new = command("new", "print a Package with checked values", _NEW)
    new.add_argument("manifest", metavar="MANIFEST", help="the file of the manifest (- for stdin)")
    new.add_argument("files", nargs="*", metavar="NAME=VALUE", help="a value")
    new.add_argument("--name", metavar="NAME", default="", help="the Package's name (default: the manifest's)")
    new.add_argument("--namespace", metavar="NS", default="", help="its namespace (default: the manifest's `defaultNamespace`)")
    text = "the package's version (default: the name of the manifest's directory, if that is one)"
    new.add_argument("--package-version", metavar="V", default="", help=text)
    new.add_argument("-o", "--output", metavar="FILE", help="write a new file instead of printing")
    setting = command("set", "set values of a Package in its file", _SET)
    setting.add_argument("package", metavar="PACKAGE", help="the file of the Package")
    setting.add_argument("files", nargs="+", metavar="NAME=VALUE", help="a value")
    setting.add_argument("--manifest", metavar="FILE", help="the file of the manifest")


def run(options: Namespace) -> int:
    """Run `glasskube new` or `glasskube set`."""
    return _new(options) if options.task == "new" else _set(options)


def _new(options: Namespace) -> int:
    import os  # noqa: PLC0415 - every command line is parsed with these arguments
    import sys  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from krm_values._data.errors import UsageError  # noqa: PLC0415
    from krm_values._kit.process import report  # noqa: PLC0415
    from krm_values._kit.process.creation import put_file  # noqa: PLC0415
    from krm_values._kit.process.terminal import send  # noqa: PLC0415
    from krm_values._yaml import emit  # noqa: PLC0415
    from krm_values.glasskube_values.values import entry  # noqa: PLC0415

    given = entry.assignments(options.files)
    if options.output and os.path.lexists(options.output):
        raise UsageError(f"{options.output}: must not exist yet; `krm-values glasskube set` changes a Package")
    version = options.package_version or entry.version_of(os.path.abspath(options.manifest))
    found = _manifest(options.manifest)
    entry.check(found, given)
    asks = sys.stdin.isatty() and report.is_terminal()
    values = entry.entered(found, given, sys.stdin.readline if asks else None)
    entry.complete(found, values)
    made = entry.package(found, options.name or found.name, options.namespace, version, values)
    content = ("\n".join(emit.block(made)) + "\n").encode()
    if options.output:
        put_file(Path(options.output), content)
    else:
        send([content])
    return 0


def _set(options: Namespace) -> int:
    from krm_values._kit.process.terminal import say  # noqa: PLC0415
    from krm_values.glasskube_values.values import entry, package_file  # noqa: PLC0415

    given = entry.assignments(options.files)
    content, source, item = package_file.package_of(options.package)
    name = package_file.manifest_name(item)
    entry.check(_manifest(options.manifest, name) if options.manifest else _manifest_beside(options.package, name), given)
    changed = package_file.store(options.package, content, package_file.edited(source, item, given))
    say(f"updated: {options.package}" if changed else "changed: nothing")
    return 0


def _manifest_beside(path: str, name: str) -> Manifest:
    """The manifest of a name in the directory of a Package, or below it."""
    import os  # noqa: PLC0415 - every command line is parsed with these arguments

    from krm_values._data.errors import InputError  # noqa: PLC0415 - every command line is parsed with these arguments
    from krm_values.glasskube_values.lint.files import Files  # noqa: PLC0415

    files = Files()
    for file, content, is_package in _inputs([os.path.dirname(path) or "."]):
        files.add(file, content, is_package=is_package)
    found = [one for one in files.manifests if isinstance(one.data, dict) and one.data.get("name") == name]
    if len(found) != 1:
        raise InputError(f'{len(found)} manifests called "{name}" are beside it: name the file with `--manifest`', file=path)
    return _checked(found[0])


def _manifest(path: str, name: str = "") -> Manifest:
    """The one manifest of a file. InputError if there is another number of them, or one that has errors or another name."""
    import os  # noqa: PLC0415 - every command line is parsed with these arguments

    from krm_values._data.errors import InputError  # noqa: PLC0415
    from krm_values.glasskube_values.lint.files import manifests_of  # noqa: PLC0415

    if os.path.isdir(path):
        raise InputError("is a directory: name the file of one PackageManifest", file=path)
    ((file, content, _),) = _inputs([path])
    first, *others = manifests_of(file, content)
    if others:
        raise InputError(f"must hold one PackageManifest, found {1 + len(others)}", file=file)
    read = _checked(first)
    if name and read.name != name:
        raise InputError(f'is the manifest of "{read.name}", and the Package is of "{name}"', file=file)
    return read


def _checked(found: Found) -> Manifest:
    """A manifest without errors."""
    from krm_values._data.errors import InputError  # noqa: PLC0415 - every command line is parsed with these arguments
    from krm_values._kit.planner import findings  # noqa: PLC0415
    from krm_values.glasskube_values.manifest import manifest  # noqa: PLC0415

    read, faults = manifest.read(found.data, lenient=True)
    if read is None:
        fault = next(fault for fault in faults if fault.severity == "error")
        raise InputError(f"{findings.message(found.finding(fault))}; for all findings run `krm-values lint`")
    return read


def _inputs(names: list[str]) -> Iterator[tuple[str, bytes, bool]]:
    """Yield (path as named by the user, content, whether it may be a package.yaml), for directories of all YAML and JSON files below."""
    import os  # noqa: PLC0415 - every command line is parsed with these arguments
    import sys  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from krm_values._data.limits import DEFAULT  # noqa: PLC0415
    from krm_values._kit.process.below import Below, read_named  # noqa: PLC0415

    for name in names:
        if name == "-":
            yield "-", sys.stdin.buffer.read(), True
        elif not os.path.isdir(name):
            yield name, read_named(name), True
        else:
            found = (path for path in Path(name).rglob("*") if path.suffix in _SUFFIXES and not path.is_dir())
            with Below(Path(name)) as below:
                for path in sorted(found):
                    content = below.read(path.relative_to(name).as_posix(), DEFAULT.file_bytes)
                    yield str(path), content, path.name in _PACKAGE
