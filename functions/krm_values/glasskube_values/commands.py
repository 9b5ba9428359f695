"""`krm-values lint glasskube-values` and `krm-values schema glasskube-values --manifest`: manifests without a Package."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

_SUFFIXES = (".yaml", ".yml", ".json")
_PACKAGE = ("package.yaml", "package.yml")


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
    import os  # noqa: PLC0415

    from krm_values._data.errors import InputError  # noqa: PLC0415
    from krm_values._data.printable import json_text  # noqa: PLC0415
    from krm_values._kit.planner import findings  # noqa: PLC0415
    from krm_values.glasskube_values.lint.files import manifests_of  # noqa: PLC0415
    from krm_values.glasskube_values.manifest import manifest  # noqa: PLC0415
    from krm_values.glasskube_values.schema.values import of_values  # noqa: PLC0415

    if os.path.isdir(options.manifest):
        raise InputError("is a directory: name the file of one PackageManifest", file=options.manifest)
    ((name, content, _),) = _inputs([options.manifest])
    first, *others = manifests_of(name, content)
    if others:
        raise InputError(f"must hold one PackageManifest, found {1 + len(others)}", file=name)
    read, faults = manifest.read(first.data, lenient=True)
    if read is None:
        fault = next(fault for fault in faults if fault.severity == "error")
        raise InputError(f"{findings.message(first.finding(fault))}; for all findings run `krm-values lint`")
    print(json_text(json.dumps(of_values(read), indent=2, ensure_ascii=False)))
    return 0


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
