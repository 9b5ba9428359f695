"""The commands of this function: `lint` and `schema` of manifests without a Package, and `glasskube new` and `set`, which write a Package."""

# ruff: noqa: PLC0415 - every command line is parsed with these arguments

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._run.function import Commands

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from krm_values._run.function import Group

_NEW = """\
Print a Package for the manifest in MANIFEST (a package.yaml, or a PackageManifest or PackageInfo), with the values that are given. On a
terminal the other values are asked for, each with its default; without one the defaults are taken, and a required value that is not given is
an error. Each value is checked by its definition. With -o the Package is written to a new file.
"""
_SET = """\
Set values in the file of a Package, in place: each is checked by the manifest, and every other byte stays. The manifest is the one of the
Package's name in the same directory, unless --manifest names a file.
"""


def lint(options: Namespace) -> int:
    """Print the findings on the manifests in files and directories; return 1 on an error, with `--strict` on any finding."""
    from krm_values.glasskube_values import files

    return files.lint(options)


def schema_arguments(parser: ArgumentParser) -> None:
    """Add the options of `schema`."""
    text = "glasskube-values: print the schema of a Package's `spec.values` for the PackageManifest in FILE"
    parser.add_argument("--manifest", metavar="FILE", help=text)


def schema(options: Namespace) -> int | None:
    """Print the JSON Schema of `spec.values`; return None if no manifest is named."""
    if options.manifest is None:
        return None
    from krm_values.glasskube_values import files

    return files.schema(options)


_NEW_CALLS = ("glasskube new v1.0.0/package.yaml host=a.example.com",)
_SET_CALLS = ("glasskube set package.yaml host=a.example.com",)


def grammar(group: Group) -> None:
    """Add the commands."""
    command = group("glasskube", "write a Package of Glasskube", (*_NEW_CALLS, *_SET_CALLS))
    # the values are called `files`: the words that argparse leaves over are added to those of this name
    new = command("new", "print a Package with checked values", _NEW, examples=_NEW_CALLS)
    new.add_argument("manifest", metavar="MANIFEST", help="the file of the manifest (- for stdin)")
    new.add_argument("files", nargs="*", metavar="NAME=VALUE", help="a value")
    new.add_argument("--name", metavar="NAME", default="", help="the Package's name (default: the manifest's)")
    new.add_argument("--namespace", metavar="NS", default="", help="its namespace (default: the manifest's `defaultNamespace`)")
    text = "the package's version (default: the name of the manifest's directory, if that is one)"
    new.add_argument("--package-version", metavar="V", default="", help=text)
    new.add_argument("-o", "--output", metavar="FILE", help="write a new file instead of printing")
    setting = command("set", "set values of a Package in its file", _SET, examples=_SET_CALLS)
    setting.add_argument("package", metavar="PACKAGE", help="the file of the Package")
    setting.add_argument("files", nargs="+", metavar="NAME=VALUE", help="a value")
    setting.add_argument("--manifest", metavar="FILE", help="the file of the manifest")


def run(options: Namespace) -> int:
    """Run `glasskube new` or `glasskube set`."""
    from krm_values.glasskube_values import data_entry

    return data_entry.new(options) if options.task == "new" else data_entry.set_values(options)


commands = Commands(
    grammar=grammar,
    run=run,
    lint=lint,
    schema_arguments=schema_arguments,
    schema=schema,
)
