"""`krm-values lint glasskube-values` and `krm-values schema glasskube-values --manifest`: manifests without a Package."""

from __future__ import annotations

from krm_values._kit.api.hooks import Commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def lint_arguments(parser: ArgumentParser) -> None:
    """Add the options of `lint`."""
    parser.add_argument("--strict", action="store_true", help="exit with 1 on warnings, too")


def lint(options: Namespace) -> int:
    """Print the findings on the manifests in files and directories; return 1 on an error, with `--strict` on any finding."""
    from krm_values.glasskube_values.lint import command  # noqa: PLC0415 - every command line is parsed with these arguments

    return command.lint(options)


def schema_arguments(parser: ArgumentParser) -> None:
    """Add the options of `schema`."""
    text = "glasskube-values: print the schema of a Package's `spec.values` for the PackageManifest in FILE"
    parser.add_argument("--manifest", metavar="FILE", help=text)


def schema(options: Namespace) -> int | None:
    """Print the JSON Schema of `spec.values`; return None if no manifest is named."""
    if options.manifest is None:
        return None
    from krm_values.glasskube_values.lint import command  # noqa: PLC0415 - every command line is parsed with these arguments

    return command.schema(options)


commands = Commands(lint_arguments=lint_arguments, lint=lint, schema_arguments=schema_arguments, schema=schema)
