"""The descriptions and epilogs of the commands' help."""

from __future__ import annotations

EXIT = """\
exit codes:
  0  success
  1  invalid input, functionConfig or resources
  2  invalid command line
  3  a defect of krm-values
"""
DIFF = """\
exit codes with --diff, and of compare:
  0  nothing would change, no value differs
  1  something would change, a value differs
  2  any failure
"""
ENVIRONMENT = """\
environment:
  KRM_FUNCTION             the function that `run` serves when neither the command line nor the functionConfig names it
  XDG_CONFIG_HOME          where `kustomize install-plugins` writes (default ~/.config)
  KUSTOMIZE_PLUGIN_HOME    the same, if kustomize looks elsewhere
  NO_COLOR                 no colours, whatever it is set to
"""
RUN = """\
Without FILE: a ResourceList on stdin, the resolved list on stdout: what kpt, kustomize and pipes want. With FILE or
DIR: plain resources in, plain resources out, documents joined by `---`, findings on stderr.

--config replaces the functionConfig of a list. Where there is none, the only functionConfig among plain resources is
taken, and in a list, too, if nothing names the function; this is printed. Informations are printed on a terminal and
with -v.
"""
EXPLAIN = """\
Say where each value comes from, through every step of a pipeline, and what it overrides; nothing is changed.

The first WORD, if it is a path that exists or begins with `.` or `/`, is the package, and the words after it are
paths: krm-values explain DIR controller.replicaCount 'spec.values.*' '**.image.tag'. Else, if it is the name of a
function, the rest are plain resources: files, directories or `-`. Else all words are paths of values of the package
in this directory. Without words the input is a ResourceList on stdin. A directory that is called like a function is
written ./NAME. A `*` is one part of a path, `**` any number of them.

--json prints {apiVersion, kind: Explanation, steps, values}; `krm-values schema explanation` has its schema. --patch
prints one RFC 6902 array whose paths begin at /items/N of the input; it is [] when a finding is an error. With hidden
values in it, it cannot be applied: a warning says so. --html writes a page instead: the tree of resources, keys by
layers, each value's way, with search and filters. The exit code is the one of `run`, or 1 if no value is what is asked
for.
"""
VALUES = """\
Print the values that a function composes, as YAML, as `helm get values` does: of a release, an App, a package, the
params of a step, a Solution Descriptor. WORDs are those of `explain`; one with a slash names the resource that has the
values, or the one that they are composed for. Without one, all composed values are printed.
"""
WHY = """\
Say where the value on a line comes from: of a file that the pipeline of its package writes, as an editor shows it. The
package is rendered in memory; nothing is changed.
"""
IMPACT = """\
Say what would change if a layer were not there: the values, each with its next winner, and the rendered files as a diff.
FILE is a file of the package; LINE picks one of its documents and a key of that; PATH is a value inside the layer's
values. Nothing is changed. The exit code is 1 if something would change. Where a run needs the layer, the error that it
would give is printed.
"""
COMPARE = """\
Compare two packages after their pipelines, value by value: what was added, removed or changed, and because of which
line. --against compares the directory with what git has of it at a revision, in the repository of the nearest `.git` at
the directory or above it; of git only `rev-parse`, `ls-tree` and `cat-file` are called, and nothing that the repository
configures runs.
"""
RENDER = """\
Run the pipeline of a kpt package, and of its sub-packages first, without kpt: mutators, then validators, whose image
or exec is one of our functions. Files are written in place, all or none, and only where something changes. Of several packages
each is written on its own. A package that is as an earlier run left it is not run again; the findings of that run are printed.
"""
CLEAN = """\
For those who commit only the final form: take the annotations out by which a later run knows what an earlier one wrote,
the undo records and the marks of generated objects. Nothing else changes. What it costs: a later run cannot update or
undo what was written. Where it would write to such a resource again, or make an object that is there already, it stops
with an error, for which `krm-values.dev/released` names the functions that had written to a resource. Keep the sources,
and render from them: `krm-values render -o OUT --release` writes the same files.
"""
