"""The guard of each place, and the test that shows it. A new kind of place in a file needs a row here."""

from __future__ import annotations

B = "tests/kit/test_below.py"
W, K = "tests/kit/test_writer.py", "tests/crash_consistency/test_crashes.py"
E = "tests/functions/envgene_sd/"
G = "tests/cli/test_compare_git.py"
T = "tests/functions/cartographer_params/test_tools.py"
STDIN = "stdin is what the caller sends; a host's limit of memory is its own"

GUARDS: dict[tuple[str, str], tuple[str, str]] = {
    ("read", "_cli/new.py"): ("the page on own functions, beside the code", "tests/test_own_function.py"),
    ("read", "_cli/inputs.py"): ("where a link leads; nothing is read there", "tests/inputs/test_inputs.py"),
    ("read", "testing.py"): ("cases of a third party's own tests", "tests/test_own_function.py"),
    ("read", "_cli/main.py"): ("`/dev/null`, so that nothing is printed after stdout is closed", "tests/cli/test_plain.py"),
    ("read", "_run/registry.py"): ("what there is on kinds of findings, beside the code", "tests/test_kinds.py"),
    ("read", "_run/function.py"): ("the schema of the functionConfig, beside the code", "tests/cli/test_schema.py"),
    ("read", "_cli/manual.py"): ("our own manuals and a schema, beside the code", "tests/cli/test_commands.py"),
    ("read", "_krm/files.py"): (
        "regular files only, opened without blocking, no link out without `--follow-links`, limits; what the user types: a limit",
        B,
    ),
    ("read", "_krm/write.py"): ("extended attributes of the open file that is replaced", W),
    ("read", "_run/tools.py"): ("a pipe from ytt or sops, with a limit of size and of time", T),
    ("read", "envgene_sd/repository/run.py"): (STDIN, E + "test_files.py"),
    ("read", "glasskube_values/files.py"): (STDIN, "tests/functions/glasskube_values/test_lintfiles.py"),
    ("list", "_cli/inputs.py"): ("folders below the package; links are named and not followed", "tests/inputs/test_inputs.py"),
    ("list", "testing.py"): ("cases of a third party's own tests", "tests/test_own_function.py"),
    ("list", "_explain/query.py"): ("gives names only, for the nearest one", "tests/cli/test_asked.py"),
    ("list", "_krm/packages.py"): (
        "links to folders are not entered; names are read by `_krm/files.py`",
        "tests/cli/test_hostile_trees.py",
    ),
    ("list", "_krm/files.py"): (
        "says why a directory cannot be read, where none can be opened; gives nothing",
        "tests/cli/test_windows.py",
    ),
    ("list", "_run/registry.py"): ("our own package", "tests/test_house.py"),
    ("list", "_krm/write.py"): ("extended attributes of the open file that is replaced", W),
    ("list", "envgene_sd/repository/files.py"): (
        "gives names only; what they hold is read by `_krm/files.py`",
        E + "test_files.py",
    ),
    ("list", "envgene_sd/repository/fetch.py"): ("gives names only, for the nearest one", E + "test_definitions.py"),
    ("list", "glasskube_values/data_entry.py"): ("gives names only; those of staged files are removed", W),
    ("write", "_krm/files.py"): ("in an open folder that was reached without following a link", K),
    ("write", "_krm/write.py"): (
        "targets with the digest that was read, no link, one name, checked again before each rename; staged files 0600",
        W,
    ),
    ("write", "_run/tools.py"): ("a pipe to ytt", T),
    ("write", "cartographer_params/tools.py"): ("an empty folder of its own for ytt to run in", T),
    ("hash", "_krm/files.py"): ("whole files, compared with what was read and kept nowhere", W),
    ("hash", "_krm/names.py"): ("a config's name and namespace and a package's path", "tests/kit/test_names.py"),
    ("hash", "_krm/undo_record.py"): (
        "values from a Secret are blanked first",
        "tests/secrets/test_noninterference.py",
    ),
    ("hash", "_krm/write.py"): ("whole files, compared with what was read and kept nowhere", W),
    ("hash", "cartographer_params/stamp.py"): (
        "the name of an object that has a `generateName` only, from the object",
        "tests/secrets/test_packages.py",
    ),
    ("hash", "envgene_sd/outputs.py"): ("an SD, which holds no Secret", E + "test_files.py"),
    ("hash", "envgene_sd/repository/web.py"): ("compares with what a registry announces", E + "test_fetching.py"),
    ("program", "_run/tools.py"): (
        "ytt if the caller names it, a step's with `--allow-exec`, sops from absolute entries of PATH; no shell; its group ends with it",
        E + "test_sops.py",
    ),
    ("network", "envgene_sd/repository/web.py"): (
        "gives addresses, all of which are judged before any is connected to",
        E + "test_hostile_answers.py",
    ),
    ("network", "envgene_sd/repository/client.py"): (
        "limits of time, size and redirects; no redirect to this machine or its link; TLS verified",
        E + "test_hostile_answers.py",
    ),
    ("code", "__init__.py"): ("modules of our own by names of our own source", "tests/test_library.py"),
    ("code", "_fleet/parcel.py"): (
        "packages that a worker's own client has sent, whose code it runs anyway; no answer of a worker is unpickled",
        "tests/fleet/test_parcel.py",
    ),
    ("code", "testing.py"): ("the folder of a function that the caller names", "tests/test_own_function.py"),
    ("code", "_run/function.py"): ("a module of the function's own folder", "tests/test_house.py"),
    ("code", "_yaml/libyaml.py"): ("modules of PyYAML by names of our own source", "tests/kit/test_libyaml.py"),
    ("code", "_data/record.py"): ("a class body made of field names of our own source", "tests/kit/test_record.py"),
    ("code", "_run/registry.py"): ("folders of our own package", "tests/test_house.py"),
    ("environment", "_cli/inputs.py"): (
        "the variables that name programs, as a render reads them",
        "tests/inputs/test_inputs.py",
    ),
    ("environment", "_explain/git.py"): (
        "what git gets: a list of names; what a repository configures is switched off",
        "tests/cli/test_compare.py",
    ),
    ("message", "_explain/compare.py"): (
        "values from Secrets are `<hidden>` without `--show-secrets`",
        "tests/cli/test_compare.py",
    ),
    ("message", "_explain/impact.py"): (
        "values from Secrets are `<hidden>` without `--show-secrets`",
        "tests/cli/test_compare.py",
    ),
    ("message", "_explain/composed.py"): (
        "values from Secrets are `<hidden>` without `--show-secrets`",
        "tests/cli/test_composed.py",
    ),
    ("message", "_explain/steps.py"): (
        "findings without values from a Secret, or how many there are",
        "tests/secrets/test_cases.py",
    ),
    ("message", "_explain/why.py"): (
        "values from Secrets are `<hidden>` without `--show-secrets`",
        "tests/cli/test_why.py",
    ),
    ("environment", "_fleet/parcel.py"): (
        "the variables of ours that a plan depends on; a worker gets those of who sends it packages",
        "tests/fleet/test_parcel.py",
    ),
    ("environment", "_fleet/pool.py"): ("what a worker gets: that of the coordinator", "tests/fleet/test_pool.py"),
    ("environment", "_fleet/worker.py"): ("that of the coordinator, which a worker takes over", "tests/fleet/test_pool.py"),
    ("environment", "_fleet/render.py"): ("`KRM_FUNCTION`, the name of a function", "tests/fleet/test_render.py"),
    ("environment", "_fleet/task.py"): ("whether a variable names a program", "tests/fleet/test_render.py"),
    ("hash", "_fleet/inputs.py"): (
        "whole files, as git names them; what is kept in a state is keyed, for the owner only",
        "tests/fleet/test_render.py",
    ),
    ("network", "_fleet/door.py"): ("reads certificates only, to say what is wrong with them", "tests/fleet/test_parcel.py"),
    ("read", "_fleet/parcel.py"): (
        "a program that the caller names, for its digest",
        "tests/fleet/test_parcel.py",
    ),
    ("hash", "_fleet/parcel.py"): ("programs that the caller names", "tests/fleet/test_parcel.py"),
    ("hash", "_fleet/bundle.py"): ("whether a bundle is whole; names of packages", "tests/fleet/test_merge.py"),
    ("message", "_fleet/ask.py"): (
        "names of packages, escaped; differences, values and findings in which those of Secrets are `<hidden>`",
        "tests/fleet/test_answers.py",
    ),
    ("message", "_fleet/job.py"): ("a manifest of our own making, with the image that was named", "tests/fleet/test_merge.py"),
    ("message", "_fleet/render.py"): (
        "names of packages, findings without values from a Secret, numbers; a diff in which they are `<hidden>`",
        "tests/fleet/test_secrets.py",
    ),
    ("message", "_fleet/state.py"): ("a sentence of our own", "tests/fleet/test_render.py"),
    ("program", "_fleet/pool.py"): (
        "our own worker by its number, and the groups of what it has started",
        "tests/fleet/test_deaths.py",
    ),
    ("read", "_fleet/inputs.py"): ("where a link leads; files are read by `_krm/files.py`", "tests/fleet/test_commit.py"),
    ("read", "_fleet/pool.py"): ("the children of our own worker, from /proc", "tests/fleet/test_deaths.py"),
    ("write", "_run/terminal.py"): ("one line on stderr, which a signal handler writes", "tests/terminal/test_terminal.py"),
    ("write", "_fleet/results.py"): ("a temporary file without a name", "tests/fleet/test_render.py"),
    ("message", "_explain/layers.py"): ("no values, only names, files and numbers", "tests/cli/test_where.py"),
    ("message", "_explain/where.py"): (
        "values from Secrets are `<hidden>` without `--show-secrets`",
        "tests/cli/test_where.py",
    ),
    ("program", "_explain/git.py"): (
        "from absolute entries of PATH, no shell, four commands that read; the revision behind `--end-of-options`; killed after a minute",
        G,
    ),
    ("read", "_explain/git.py"): (
        "a `.git` that is a regular file, up to 8 KiB; makes a file in an empty folder; never one that is there",
        G,
    ),
    ("read", "_explain/other_files.py"): (
        "where a link leads, to compare it; nothing is read there",
        "tests/cli/test_compare.py",
    ),
    ("write", "_explain/git.py"): (
        "an empty folder of its own, removed at the end, and nothing outside of it: a path that leads elsewhere is refused; a temporary file without a name",
        "tests/cli/test_compare.py",
    ),
    ("hash", "_explain/page/file.py"): ("of our own style and script, for the page's policy", "tests/page/test_file.py"),
    ("message", "_explain/page/file.py"): ("names of the command line, escaped by `say`", "tests/page/test_file.py"),
    ("read", "_explain/page/file.py"): (
        "templates of our own package; the first bytes of a regular file that is to be replaced: whether it is a page",
        "tests/page/test_file.py",
    ),
    ("environment", "_cli/main.py"): ("limits, which nothing that is read can raise", "tests/cli/test_limits.py"),
    ("environment", "_cli/commands.py"): ("where a manual is shown", "tests/cli/test_commands.py"),
    ("environment", "_run/pipe.py"): ("`KRM_FUNCTION`, the name of a function", "tests/cli/test_commands.py"),
    ("environment", "_run/invoke.py"): (
        "programs that the caller names; not in a container step",
        "tests/cli/test_commands.py",
    ),
    ("environment", "_run/pipeline.py"): (
        "programs that the caller names; not in a container step",
        "tests/cli/test_steps.py",
    ),
    ("environment", "_run/foreign.py"): (
        "for a program of others, only with `--allow-exec`; a container gets none",
        "tests/hosts/test_foreign_steps.py",
    ),
    ("environment", "_run/plain_files.py"): ("programs that the caller names", "tests/cli/test_plain.py"),
    ("environment", "_cli/manual.py"): (
        "the pager of somebody who types, for our own pages; `LESS` only where it is not set",
        "tests/terminal/test_terminal.py",
    ),
    ("environment", "_run/terminal.py"): ("`NO_COLOR`", "tests/cli/test_commands.py"),
    ("list", "_cli/complete.py"): (
        "names in a directory that the word names; none with a control character",
        "tests/cli/test_completion.py",
    ),
    ("message", "_cli/complete.py"): (
        "names, paths of values and layers, never a value; none with a control character",
        "tests/cli/test_completion.py",
    ),
    ("write", "_cli/kustomize.py"): (
        "removes only files with our mark, and directories that are empty",
        "tests/cli/test_commands.py",
    ),
    ("environment", "_cli/kustomize.py"): ("where kustomize looks for plugins", "tests/cli/test_commands.py"),
    ("environment", "_run/tools.py"): ("`PATH` without its relative entries", "tests/kit/test_programs.py"),
    ("environment", "envgene_sd/commands.py"): ("`CI_PROJECT_DIR`, the directory of a pipeline", E + "test_process.py"),
    ("environment", "envgene_sd/repository/credentials.py"): (
        "keys, which no message shows; what sops gets: a list of names, and those of `--sops-env`",
        E + "test_sops.py",
    ),
    ("environment", "envgene_sd/repository/run.py"): ("the parameters of the pipeline step", E + "test_process.py"),
    ("environment", "envgene_sd/repository/client.py"): (
        "`SSL_CERT_FILE`, beside the machine's certificates, and proxies, whose user no message shows (test_credentials)",
        E + "test_client.py",
    ),
    ("message", "_cli/arguments/completion.py"): ("our own text", "tests/cli/test_commands.py"),
    ("message", "_explain/diff.py"): ("values from Secrets are `<hidden>`", "tests/secrets/test_packages.py"),
    ("message", "_explain/explain.py"): (
        "values from Secrets are `<hidden>` without `--show-secrets`",
        "tests/secrets/test_cases.py",
    ),
    ("message", "_cli/check.py"): ("findings without values from a Secret, and counts", "tests/cli/test_check.py"),
    ("message", "_cli/inputs.py"): ("paths, which are escaped", "tests/inputs/test_inputs.py"),
    ("message", "_cli/new.py"): ("the folder that was asked for, which is escaped", "tests/test_own_function.py"),
    ("message", "_cli/main.py"): ("one line; a traceback only with `--debug`", "tests/cli/test_messages.py"),
    ("message", "_cli/manual.py"): ("our own text", "tests/cli/test_commands.py"),
    ("message", "_run/pipe.py"): ("the resolved resources; a hint on a terminal", "tests/secrets/test_cases.py"),
    ("message", "_cli/kustomize.py"): ("paths of our own making", "tests/cli/test_commands.py"),
    ("message", "_cli/clean.py"): ("paths of files that changed, which are escaped", "tests/cli/test_clean.py"),
    ("message", "testing.py"): ("the schema of a function's config, of its author's own source", "tests/test_own_function.py"),
    ("message", "glasskube_values/data_entry.py"): (
        "the name of the file, and labels and options of a manifest, which are escaped, and never a value",
        "tests/functions/glasskube_values/test_data_entry.py",
    ),
    ("message", "_cli/revert.py"): (
        "paths of files that changed, which are escaped, and findings",
        "tests/cli/test_revert.py",
    ),
    ("message", "_cli/render.py"): (
        "names of files and numbers; values from Secrets in a diff are `<hidden>`",
        "tests/secrets/test_packages.py",
    ),
    ("message", "_explain/text.py"): (
        "values from Secrets are `<hidden>` without `--show-secrets`",
        "tests/secrets/test_cases.py",
    ),
    ("message", "_run/report.py"): (
        "findings without values from a Secret",
        "tests/secrets/test_cases.py",
    ),
    ("message", "_run/terminal.py"): ("escapes what a terminal or a log would act on", "tests/kit/test_terminal.py"),
    ("message", "envgene_sd/repository/run.py"): ("findings, and SDs, which hold no Secret", E + "test_credentials.py"),
    ("message", "glasskube_values/files.py"): (
        "findings about a manifest, and its schema",
        "tests/functions/glasskube_values/test_lintfiles.py",
    ),
}
EXPRESSIONS = "takes time in proportion to the text: measured for every expression"
EXPRESSIONS_TEST = "tests/guards/test_expressions.py"
