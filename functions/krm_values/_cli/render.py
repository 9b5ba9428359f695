"""`krm-values render`: runs the pipeline of a kpt package without kpt; after an error no file has changed."""

# ruff: noqa: PLC0415 - what renders is loaded when the options are known to be right

from __future__ import annotations

import os
import posixpath
import sys
from collections import Counter
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import UsageError, UserError, from_os
from krm_values._data.record import record, replace
from krm_values._data.shown import printable
from krm_values._krm import findings as results
from krm_values._krm import packages
from krm_values._krm.write import clear, put_file, refuse_link_out, write
from krm_values._run import arguments, registry, tools
from krm_values._run import report as reporting
from krm_values._run.arguments import LOCK_TIMEOUT
from krm_values._run.pipeline import alone, kpt_package, named_below, read_directory, read_package
from krm_values._run.terminal import Under, announce, coloured, progress, say, say_error, send, tell, total
from krm_values._yaml import emit

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from krm_values._data.values import JSON
    from krm_values._krm.kptfile import Step
    from krm_values._krm.packages import Package
    from krm_values._krm.plan import Finding
    from krm_values._run.foreign import Ended
    from krm_values._run.pipeline import Ran, Rendered


_FAILED, _WOULD_CHANGE = 2, 1
_STREAMS = ("stdout", "unwrap")
"""What `--output` writes to stdout."""
_FORMATS = ("yaml", "yml", "json", "name", "wide", "text", "jsonpath", "go-template", "custom-columns", "table", "tree")
"""The output formats of kubectl and its relatives."""


@record
class Done:
    """How the rendering of a package ended: its exit code, whether a file has changed or would change, and the line that says so."""

    code: int
    changed: bool = False
    summary: str = ""


def run(options: Namespace) -> int:
    """Render as the options say and return the exit code: of several packages the highest one."""
    _check(options)
    directories = packages_of(options)
    if len(directories) == 1:
        done = _one(directories[0], options)
        if done.summary:
            total(done.summary)
        return done.code
    if options.output or options.results_dir or options.format == reporting.SARIF:
        named = "--output" if options.output else "--results-dir" if options.results_dir else "--format sarif"
        raise UsageError(f"`{named}` takes one package, found {len(directories)}: render each on its own")
    every = []
    with progress("packages", len(directories)) as advance:
        for directory in directories:
            every.append(_of_several(directory, options))
            advance()
    total(_total(every, "would change" if options.diff else "changed"), timed=True)
    return max(done.code for done in every)


def _check(options: Namespace) -> None:
    if options.diff or options.output:
        arguments.refuse(options, "with files that are rendered in place", "--lock-timeout")
    if not options.diff:
        arguments.refuse(options, "with `--diff`", "--show-secrets")
    check_function(options)
    if options.function:
        arguments.refuse(options, "without `--function`", "--recursive", "--skip-foreign")
    if options.diff or not options.output:
        arguments.refuse(options, "with `--output`, or run `krm-values clean`", "--release")


def check_function(options: Namespace) -> None:
    """Raise UsageError if `--function` names none, or `--config` stands without it."""
    if options.function:
        options.function = registry.load(options.function).name
    else:
        arguments.refuse(options, "with `--function`", "--config")


def packages_of(options: Namespace) -> list[Path]:
    """Return the packages that a command line names, each once. InputError for a directory without packages."""
    directories = [Path(name) for name in options.directories or ["."]]
    if options.recursive:
        directories = [package for directory in directories for package in packages.outermost(directory)]
    return list({os.path.realpath(directory): directory for directory in reversed(directories)}.values())[::-1]


def _of_several(directory: Path, options: Namespace) -> Done:
    """Render one of several packages; its failure does not keep the others from being rendered.

    A package that stays as it is and about which there is nothing to report is listed only on request.
    """
    with Under(f"{directory}:") as heading:
        if options.verbose:
            announce()
        try:
            done = _one(directory, options)
        except UserError as error:
            say_error(error)
            return Done(error.exit_code)
        if done.summary and (done.changed or heading.is_printed):
            tell(done.summary)
    return done


def _total(every: Sequence[Done], changed: str) -> str:
    count = Counter(changed if done.changed else "failed" if done.code else "same" for done in every)
    return f"{len(every)} packages: {', '.join(f'{count[what]} {what}' for what in (changed, 'same', 'failed') if count[what])}"


def _one(directory: Path, options: Namespace) -> Done:
    with named_below(directory):
        return _rendered_one(directory, options)


def _rendered_one(directory: Path, options: Namespace) -> Done:
    if options.diff:
        many = options.recursive or len(options.directories) > 1
        return _diff(directory, options, posixpath.relpath(directory.as_posix()) if many else "")
    if options.output:
        return Done(_elsewhere(directory, options))
    timeout = LOCK_TIMEOUT if options.lock_timeout is None else options.lock_timeout
    packages.check_directory(directory)
    with alone(directory if options.function else kpt_package(directory), timeout):
        return _in_place(directory, options)


def _in_place(directory: Path, options: Namespace) -> Done:
    """Render a locked package."""
    root = read(directory, options)
    tell(*(f"warning: {text}" for text in clear(directory, root.staged())))
    done = _planned(root, options)
    report(done, options, directory)
    if done.failed:
        return Done(1)
    changes, count = done.changes(), len(done.ran)
    write(directory, changes)
    return Done(0, changed=bool(changes), summary=f"{count} step{'' if count == 1 else 's'} run, {reporting.summary(changes)}")


def report(done: Rendered, options: Namespace, directory: Path) -> None:
    """Print the findings on stderr; the results file gets all findings."""
    from krm_values._run import library

    every = reporting.shows_infos(verbose=options.verbose)
    findings = library.findings_of(done, skip_foreign=options.skip_foreign, infos=every)
    unmatched = (entry.outcome.unmatched for entry in done.ran)
    form, verbose, folder = options.format, options.verbose, reporting.folder_of(directory, options.format)
    lines = reporting.lines(findings, unmatched, verbose=verbose, form=form, folder=folder, apart=options.config, kinds=True)
    say(*lines, commands=form != reporting.TEXT)
    if options.results_dir:
        ran = [replace(entry, outcome=reporting.with_storage_warnings(entry.outcome)) for entry in done.ran]
        write_results(options.results_dir, ran, directory)


def read(directory: Path, options: Namespace) -> Package:
    """Read the package, or the directory for one function."""
    read = read_directory if options.function else read_package
    return read(directory, follow_links=options.follow_links, limits=options.limits)


def _planned(root: Package, options: Namespace) -> Rendered:
    """Render in memory."""
    from krm_values._run import invoke, pipeline
    from krm_values._run.planned import manner_of, planned

    if not options.function:
        return planned(root, manner_of(options))
    programs, limits = tools.on_command_line(options, options.function), options.limits
    config = None if options.config is None else invoke.of_file(options.config, limits)
    return pipeline.rendered_by(options.function, config, root, programs=programs, limits=limits)


def _diff(directory: Path, options: Namespace, folder: str) -> Done:
    """Print what would change. folder: prefix of the paths, so that `patch -p1` finds the files of several packages."""
    from krm_values._explain import diff

    try:
        with named_below(directory):
            done = _planned(read(directory, options), options)
        report(done, options, directory)
        text = diff.diff(done, show_secrets=options.show_secrets, folder=folder)
    except (UserError, OSError) as error:
        say_error(from_os(error) if isinstance(error, OSError) else error)
        return Done(_FAILED)
    if done.failed:
        return Done(_FAILED)
    if text:
        announce()
    diff.print_diff(text, sys.stdout, colours=coloured(sys.stdout))
    return Done(_WOULD_CHANGE, changed=True) if text else Done(0)


def _elsewhere(directory: Path, options: Namespace) -> int:
    from krm_values._cli import clean
    from krm_values._krm.write import create
    from krm_values._run import listing, tree

    target = Path(options.output)
    if options.output not in _STREAMS:
        _refuse_mistaken(options.output)
        if os.path.lexists(target):
            raise UsageError(f"{target}: must not exist yet; remove it, or name another directory")
        refuse_link_out(directory, target)
        _refuse_inside(directory, target)
    done = _planned(read(directory, options), options)
    report(done, options, directory)
    if done.failed:
        return 1
    match options.output:
        case "stdout":
            _release(done, options)
            send([listing.wrapped(done.loaded.tree.documents, options.limits)])
        case "unwrap":
            resources = done.loaded.tree
            send([tree.stream(clean.manifests(resources) if options.release else resources.documents)])
        case _:
            copies = tree.copies(done.loaded)
            create(target, clean.released(copies, options.limits) if options.release else copies)
    if options.release and options.output != "unwrap":
        tell(f"warning: {clean.COSTS}")
    return 0


def _refuse_mistaken(output: str) -> None:
    """Raise UsageError for the name of a directory that is probably a misspelt stream, or an output format of another program."""
    word = output.partition("=")[0].lower()
    near = "unwrap" if word in _FORMATS else "stdout" if output in ("-", "/dev/stdout") else suggest.nearest(output, _STREAMS)
    if near:
        text = "`--output` must be a directory, `stdout` (a ResourceList) or `unwrap` (the resources as YAML documents), found"
        here = "" if os.sep in output else f" A directory of this name is `./{printable(output)}`"
        raise UsageError(f"{text} `{printable(output)}`; did you mean `{near}`?{here}")


def _refuse_inside(directory: Path, target: Path) -> None:
    """Raise UsageError if the output would be part of the package: every resource would be in it twice, which the next run refuses."""
    if f"{os.path.realpath(target)}/".startswith(os.path.join(os.path.realpath(directory), "")):
        raise UsageError(f"{target}: must not be in the package {directory}: name a directory outside of it")


def _release(done: Rendered, options: Namespace) -> None:
    """Clean the output, if `--release` is given."""
    if options.release:
        from krm_values._cli.clean import release

        release(done.loaded.tree)


# `--results-dir`: the findings of each step in a file as kpt writes it.

_ORDER = ("message", "severity", "resourceRef", "field", "file", "tags")
_REFERENCE = ("apiVersion", "kind", "name", "namespace")


def write_results(directory: str, ran: Sequence[Ran], package: Path) -> None:
    """Write `results.yaml`, creating the directory if missing. InputError if a link of the package leads out of it there."""
    folder = Path(directory)
    refuse_link_out(package, folder)
    steps = [(entry.task.step, entry.outcome.findings) for entry in ran]
    put_file(folder / "results.yaml", results_text(steps, [entry.ended for entry in ran]).encode())


def results_text(steps: Sequence[tuple[Step, Sequence[Finding]]], ends: Sequence[Ended | None] = ()) -> str:
    """Return a FunctionResultList. ends: how the steps ended that are not ours, None for the others."""
    told = zip_longest(steps, ends)
    items: list[JSON] = [_ended(step, end) if end else _item(step, findings) for (step, findings), end in told]
    failed = any(finding.severity == "error" for _, findings in steps for finding in findings)
    data: dict[str, JSON] = {"apiVersion": "kpt.dev/v1", "kind": "FunctionResultList", "metadata": {"name": "fnresults"}}
    data |= {"exitCode": int(failed), **({"items": items} if items else {})}
    return "\n".join(emit.block(data, wide=True)) + "\n"


def _item(step: Step, findings: Sequence[Finding]) -> JSON:
    entry: dict[str, JSON] = {"image": step.image} if step.image else {"exec": step.exec}
    entry["exitCode"] = int(any(finding.severity == "error" for finding in findings))
    if findings:
        entry["results"] = [_result(results.as_result(finding, named=False)) for finding in findings]
    return entry


def _ended(step: Step, end: Ended) -> JSON:
    """Return the entry of a step that is not ours: its results are as it printed them."""
    entry: dict[str, JSON] = {"image": step.image} if step.image else {"exec": step.exec}
    stderr: dict[str, JSON] = {"stderr": end.stderr + "\n"} if end.stderr else {}
    results: list[JSON] = [_result(one) for one in end.results if isinstance(one, dict)]
    return {**entry, **stderr, "exitCode": end.code, **({"results": results} if results else {})}


def _result(found: dict[str, JSON]) -> JSON:
    """Return a result with kpt's order of fields, and without an index 0, which kpt leaves out."""
    result = {key: found[key] for key in _ORDER if key in found}
    reference, file = result.get("resourceRef"), result.get("file")
    if isinstance(reference, dict):
        result["resourceRef"] = {key: reference[key] for key in _REFERENCE if reference.get(key)}
    if isinstance(file, dict) and not file.get("index"):
        result["file"] = {key: value for key, value in file.items() if key != "index"}
    return result
