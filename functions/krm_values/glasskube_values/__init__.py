"""Configure Glasskube packages: resolve and check their values, patch resources, and write the Helm releases they lead to.

Its modules, in the order in which they may import each other (to see the whole, begin with `run`):

read       config, config_schema; packages; upstream_fields, fields, pointers, targets, pattern, constraints, manifest; candidates, of which each Package takes one
resolve    references, the texts of configured values; validation
render     goquote, templateerror, templatelexer, templateparser, templatefunctions, templateevaluator; valuetemplate, the door to them
patch      equality, patching, one operation on plain data; reach; patches and (with sourcepath) transformations, who writes what
write      documents, what has been written where; configured, a Package while it runs; writing, the decisions on items; helm, the objects that are made
check      linttargets, linttemplates, lint, the faults of a manifest; linting, those that a run tells
run        stages, one Package; conflicts, applying, all of them; plan
commands   lintfiles; ecma, numberforms, schema; commands
"""

from __future__ import annotations

from krm_values._kit.function import Function
from krm_values.glasskube_values import plan
from krm_values.glasskube_values.packages import GROUP, KINDS

function = Function(
    __name__,
    "config:GlasskubeValues",
    plan.plan,
    record=plan.records,
    removal=plan.removal,
    serves=plan.SERVED,
    kinds=tuple(f"{kind}.{GROUP}" for kind in KINDS),
)
