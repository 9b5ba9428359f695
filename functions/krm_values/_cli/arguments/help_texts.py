"""The descriptions and epilogs of the commands' help."""

from __future__ import annotations

ENVIRONMENT = """\
environment:
  KRM_FUNCTION             the function that `run` serves when neither the command line nor the functionConfig names it
  XDG_CONFIG_HOME          where `kustomize install-plugins` writes (default ~/.config)
  KUSTOMIZE_PLUGIN_HOME    used instead of XDG_CONFIG_HOME if set
  NO_COLOR                 if set to anything: no colours
"""
RUN = """\
Without FILE, read a ResourceList from stdin and print the resolved list, as kpt, kustomize and pipes expect. With FILE
or DIR, read plain resources and print the resolved resources, separated by `---`; findings are printed on stderr.

--config replaces the functionConfig of a list. Without one, the only functionConfig of the function's kind among the
resources is used, and a message names it; several are an error that lists them. Where a host names the function, by the
command krm-FUNCTION or by KRM_FUNCTION, a list without a functionConfig means the defaults, as under kpt.
Informational messages are shown on a terminal and with -v.
"""
EXPLAIN = """\
Show where each value comes from, through every step of a pipeline, and what it overrides. Nothing is changed.

If the first WORD is a path that exists or begins with `./` or `/`, it is the package, and the other words are paths of
values: krm-values explain DIR controller.replicaCount 'spec.values.*' '**.image.tag'. If it is the name of a function,
the words that exist, begin with `./` or `/`, or are `-` are its files and directories, and the others are paths of
values: krm-values explain flux-values release.yaml base.yaml image.tag. A word like `base.yaml` that does not exist is
an error; the path of a value ends in `["yaml"]`. Otherwise all words are paths of values in the package in this
directory. Without files the input is a ResourceList on stdin; on a terminal, without a WORD, it is the package in this
directory, if it is one. A directory that has the name of a function is written ./NAME. `*` matches one part of a path,
`**` any number of parts; the path of a map asks for all values in it. A kind and a name, as Deployment/web, are a resource, as for
--resource.

--json prints {apiVersion, kind: Explanation, steps, documents, references, values}; `krm-values schema explanation`
prints its schema.
--patch prints one RFC 6902 array with paths from /items/N of the input; it is [] if there is an error finding. A patch
with hidden values cannot be applied, and a warning says so. --html writes a page instead: the tree of resources, keys
by layers, each value's way, with search and filters. --layers prints the layers of each step, lowest precedence first,
and how many of the values that they set they win. --where prints, from highest to lowest precedence, the line on which
each layer of a value sets it or could set it, and the value's type and default as far as they are known. The exit code is that of
`run`, or 1 if no value matches.

--blame names the commit, date and author of each authored line, from the git repository of the nearest `.git` at the
package or above it. Only `rev-parse`, `rev-list` and `cat-file` are run, and nothing that the repository configures.
"""
VALUES = """\
Print the values that a function composes as YAML, as `helm get values` does: of a release, an App, a package, the
params of a step, a Solution Descriptor. They are the text that `render` writes. WORDs are those of `explain`; one with a
slash names the resource that has the values or, if it has none of its own, the one that they are generated for, which a
heading says. Without it, all composed values are printed.
"""
WHY = """\
Show where the value on a line comes from, and which values it goes into: those where it loses first, with the line that
wins, then those where it wins. Of a line that no step reads, the nearest reason is named. A line with several keys is
answered key by key. The file may be one that the pipeline of its package writes, with the lines that an editor shows.
The package is rendered in memory; nothing is changed.
"""
IMPACT = """\
Show what would change without a layer: the values, each with its next winner, and the rendered files as a diff. FILE is
a file of the package; LINE selects one of its documents and a key in it; PATH is a value within the layer's values, and
chooses where several keys begin on the line. With =VALUE, YAML of one line, show what would change if that were there.
Nothing is changed. If a run fails without the layer, or with the value, its error is printed, and the exit code is 1.
"""
COMPARE = """\
Compare two packages after their pipelines, leaf by leaf: what was added, removed or changed, and the edits that are the
cause. --against compares a directory with its state at a git revision, in the repository of the nearest `.git` at the
directory or above it. Only `rev-parse`, `ls-tree` and `cat-file` are run, and nothing that the repository configures.
"""
RENDER = """\
Run the pipelines of a kpt package without kpt, sub-packages first: mutators, then validators, whose image or exec is
one of our functions. Other steps run only with --allow-images (in Docker, as nobody, without network) or --allow-exec.
Files are written in place, only where something changes, and none after an error. Of several packages, each is written
on its own; those that stay as they are and have no warning are listed only with -v, and a total comes last. With
--function, run that function alone on the resources of a directory without a pipeline.
"""
CHECK = """\
Run the pipelines of a kpt package as `render` does, and write nothing: what they refuse is an error, what they warn of a
warning, and each object that a render would change, add or remove is the error `differs`, with the line of the first
value that differs. For one function, or as a validator, set `check: true` in its functionConfig.
"""
INPUTS = """\
Print every path, also outside of DIR, that the answer of `render DIR` depends on. Of a file its content counts, of a link
where it leads, and of a directory, which ends in `/`, the names in it: a new file may be an input, and a Kptfile makes a
package of any directory. A change of any other file changes nothing. Nothing is run.

--format argocd prints the value of the annotation argocd.argoproj.io/manifest-generate-paths, with paths relative to DIR:
the directory itself and the inputs outside of it.
"""
LINT = """\
Print what a run of the function on these files would refuse or warn of. Nothing is written, and nothing is said of values
that a run would change. A functionConfig among the files is used; what it refers to must be among them, too. Of
glasskube-values, check PackageManifests without a Package.
"""
REVERT = """\
Take back what a step wrote and remove its undo records, for a step that has left the pipeline or never stood in it: `render`
keeps what such a step wrote and names its records. Objects that it generated are removed. What was edited by hand since then stays, with a
warning. FUNCTION alone means all configs of the function.
"""
CLEAN = """\
For repositories that hold only the final form: remove the annotations by which a later run knows what an earlier one
wrote, which are undo records and marks of generated objects. Nothing else changes; the places that count as authored
from then on are listed. The cost: a later run cannot update
or undo what was written. Where it would write to such a resource again, or generate an object that already exists, it
stops with an error; `krm-values.dev/released` names the functions that had written to a resource. Keep the sources, and
render from them: `krm-values render -o OUT --release` writes the same files. `clean -` reads resources or a ResourceList
from stdin and prints the result, as `run --release` does.
"""
SCHEMA = """\
Print the JSON Schema of a functionConfig, or of what `explain -o json` (explanation) or `compare -o json` (comparison) prints;
fleet-explanation and fleet-comparison are those of `fleet explain` and `fleet compare`.
"""
COMPLETION = """\
Print the script by which a shell completes commands, options, files, functions, and the resources, layers and paths of values of a
package, for a file in a directory that exists:

  bash  krm-values completion bash > ~/.local/share/bash-completion/completions/krm-values
  zsh   krm-values completion zsh > ~/.zfunc/_krm-values  (with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc)
  fish  krm-values completion fish > ~/.config/fish/completions/krm-values.fish

kubectl completes `kubectl krm-values` by the command kubectl_complete-krm_values, which pip installs.
"""
NEW = """\
Write a directory with a function that works, to be changed into yours. It runs where `PYTHONPATH` names the directory, or once pip has
installed it: krm-values finds functions in the namespace package `krm_values_functions` on Python's path.
"""
FLEET_RENDER = """\
Render all packages below the directories ROOT, as `render --recursive` finds them, in several processes. Workers read and plan; this
process writes each package as `render` does, if it is still what was planned. `.krm-fleet.yaml` in a ROOT says which
directories have packages (`roots`), which are left out (`exclude`), and how many seconds each may take (`timeout`). A
package is named by its path below ROOT; with several, behind ROOT.

Statuses: changed, same, skipped (as the state says), failed (of its own fault), timeout, stale (changed twice while it was planned),
crashed (ended a process twice, alone), error (a defect of krm-values). stdout has a table of them. Warnings and errors
of every package are in the file of --results. On SIGINT what is in progress is finished, and the state written.
"""
FLEET_EXPLAIN = """\
Show where a value comes from in all packages below the directories ROOT, as `explain` does for one: what is the same, with the same
layers, is said once, with the packages that have it. The last word is the PATTERN of the value: krm-values fleet explain clusters
spec.replicas. 20 groups are printed, the largest first; --all prints them all, and every package's name.

-o json prints {apiVersion, kind: FleetExplanation, packages, asked, groups: [{packages, values}], failures};
`krm-values schema fleet-explanation` prints its schema. The exit code is 1 if a package fails, or if none has such a value.
"""
FLEET_IMPACT = """\
Show what would change in all packages below the directories ROOT without a layer, or with another value, as `impact` does for one.
The last word is the place: a file on disk, or a path within packages of which each that holds it is asked. Only packages whose inputs
name the file are planned; what changes alike is said once. 20 groups are printed; --all prints them all.

-o json prints {apiVersion, kind: FleetComparison, packages, asked, equal, changed, groups: [{packages, differences}], failures};
`krm-values schema fleet-comparison` prints its schema.
"""
FLEET_COMPARE = """\
Compare all packages below the directories ROOT with their state at a git revision, as `compare --against` does for one. Only packages
whose files differ are planned; what changes alike, because of the same edit, is said once. 20 groups are printed; --all prints
them all. Packages that are new, or gone, are named.

-o json prints {apiVersion, kind: FleetComparison, packages, asked, equal, changed, groups: [{packages, differences}], failures};
`krm-values schema fleet-comparison` prints its schema.
"""
FLEET_MERGE = """\
Verify the bundles of all shards of a fleet, then commit them below ROOT, and report as one run. A bundle that is missing,
there twice, of another fleet, of another version, or older than what is below ROOT is named, and nothing is written; so
is one that would change what a render of its packages does not. Run again after an interruption, it writes the rest.
"""
FLEET_JOB = """\
Print a Kubernetes Job with an index for each shard. It reads the fleet from the claim `fleet`, writes a bundle of each
shard to the claim `bundles`, for `krm-values fleet merge`, and reaches nothing else. Nothing is applied.
"""
