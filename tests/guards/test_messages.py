"""Every file with places that put a text of the input, or another's message about it, into a message, and what keeps a Secret's value out.

Tests that are named without a folder are in tests/secrets.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2] / "functions/krm_values"
SITE = re.compile(
    r"str\(error\)|\{error(?:\.\w+)*\}|\berror\.(?:args|reason|msg|problem|message|fact|strerror)\b|stderr=subprocess"
    r"|\b_line\(err\)|detail\[\"(?:input|msg)\"\]|\bdescribed\(|\bshown\.as_json\(|\bscalar\.text\b|!r\}"
)
OURS = "an InputError or EditError of ours: place and kind of fault, and of keys those that are structure (test_broken)"
STAND_INS = "a planner's finding: of places that hold values out of Secrets it is planned with stand-ins (test_places, test_noninterference)"
FILES = "a file's name and what the system says of it; nothing of its content was read"
CONFIG = "a functionConfig, Kptfile or `.krmignore`, which are no Secrets"
ARGUMENT = "what stands on the command line or in a variable of the environment"
FOUND = "shown by {found} or {typed}, which `results` hides in Secrets and at places that hold values out of them"
QUOTES_NOTHING = "its message quotes nothing of the value (test_cases)"
CREDENTIALS = "envgene's files of credentials are read with `secret`: place and kind of fault (test_broken)"
NET = "an address without its user, and what the transport calls the fault (tests/functions/envgene_sd/test_client.py)"
CODE = "for who debugs the code: no message has it (test_faults)"
GUARDS: dict[str, str] = {
    "_run/tree.py": OURS,
    "_run/invoke.py": CONFIG,
    "_krm/packages.py": CONFIG,
    "_krm/kptfile.py": CONFIG,
    "_cli/arguments/limits.py": ARGUMENT,
    "_explain/query.py": ARGUMENT,
    "_explain/git.py": "what git says, and paths of a tree",
    "_explain/edit.py": ARGUMENT,
    "_explain/impact.py": ARGUMENT,
    "_explain/why.py": ARGUMENT,
    "_fleet/bundle.py": ARGUMENT,
    "_fleet/commit.py": FILES,
    "_fleet/dask.py": "names of classes, and what the system says of a connection, escaped; nothing that a worker has planned",
    "_fleet/door.py": ARGUMENT,
    "_fleet/inputs.py": FILES,
    "_fleet/parcel.py": "versions, the name of a package, and what is wrong with an answer, of which it quotes paths only",
    "_fleet/roots.py": ARGUMENT,
    "_cli/main.py": OURS,
    "_cli/new.py": ARGUMENT,
    "_cli/arguments/parser.py": ARGUMENT,
    "_run/pipeline.py": CONFIG,
    "_run/plain_files.py": OURS,
    "_krm/files.py": FILES,
    "_run/arguments.py": ARGUMENT,
    "_krm/config.py": CONFIG,
    "_krm/model.py": CONFIG,
    "_krm/scan.py": "UnprovedError is caught: the slower reader says it",
    "_data/errors.py": FILES,
    "_krm/events.py": "of what stands in the place of `items` the type, or a word",
    "_krm/shapes.py": STAND_INS,
    "_krm/filenames.py": "a file's name, which no value of a Secret is a part of",
    "_data/go_numbers.py": CODE,
    "_go/jsonpath.py": STAND_INS,
    "_go/yaml.py": OURS,
    "_run/objects.py": "of a Secret the type only, `type_of`",
    "_run/stack.py": OURS,
    "_run/texts.py": "goyaml.read with `secret`: that it is no YAML, and where",
    "_yaml/parser.py": "libyaml's messages are constants; what PyYAML quotes is taken out (test_parsers)",
    "_krm/plan.py": OURS,
    "_data/record.py": CODE,
    "_run/recorder.py": OURS,
    "_run/calls.py": "the command line of a step, in a Kptfile",
    "_krm/reader.py": "a value that does not fit, only of what cannot be a Secret (test_unfit_values)",
    "_krm/resourcelist.py": "kind and apiVersion of a list, which are structure",
    "_krm/findings.py": FOUND,
    "_run/engine.py": OURS,
    "_run/containers.py": "what the Docker engine says of itself, an image or a container",
    "_run/foreign.py": f"{OURS}; what a step says has no value of the Secrets that it got (tests/hosts/test_foreign_steps.py)",
    "_data/shown.py": FOUND,
    "_yaml/edit/editor.py": OURS,
    "_yaml/encoding.py": OURS,
    "_run/resolve.py": OURS,
    "_krm/write.py": FILES,
    "_run/tools.py": "ProgramError: the system's word on a program that does not start",
    "cartographer_params/chains.py": STAND_INS,
    "cartographer_params/plan.py": STAND_INS,
    "cartographer_params/realise.py": f"{STAND_INS}; {CONFIG}",
    "cartographer_params/rendering.py": STAND_INS,
    "cartographer_params/resolve.py": STAND_INS,
    "cartographer_params/tags.py": STAND_INS,
    "cartographer_params/tools.py": STAND_INS,
    "flux_values/compose.py": QUOTES_NOTHING,
    "envgene_sd/descriptors.py": STAND_INS,
    "envgene_sd/incoming.py": STAND_INS,
    "envgene_sd/parameters.py": CONFIG,
    "envgene_sd/repository/client.py": NET,
    "envgene_sd/repository/credentials.py": "SopsError: words of ours; sops' own output is thrown away",
    "envgene_sd/repository/fetch.py": f"{NET}; {ARGUMENT}; a definition of an application or registry, which has the name of a credential only",
    "envgene_sd/repository/files.py": CREDENTIALS,
    "envgene_sd/repository/run.py": f"{FILES}; {ARGUMENT}",
    "envgene_sd/repository/sd_files.py": OURS,
    "envgene_sd/repository/web.py": NET,
    "flux_values/inline.py": QUOTES_NOTHING,
    "flux_values/plan.py": QUOTES_NOTHING,
    "flux_values/release.py": STAND_INS,
    "glasskube_values/manifest.py": STAND_INS,
    "glasskube_values/apply.py": QUOTES_NOTHING,
    "glasskube_values/packages.py": STAND_INS,
    "glasskube_values/constraints.py": "the pattern, which is of the manifest; the length of a Secret's value is not told",
    "glasskube_values/data_entry.py": "labels and options of a manifest; a value is never quoted",
    "glasskube_values/lint.py": STAND_INS,
    "glasskube_values/values.py": "the default of a manifest's definition; a value by {found} only, of a Secret its type",
    "glasskube_values/files.py": OURS,
    "glasskube_values/patches.py": QUOTES_NOTHING,
    "_go/regexp.py": STAND_INS,
    "_go/template_parser.py": QUOTES_NOTHING,
    "layered_values/layers.py": "Go's reader is told of Secrets, and quotes nothing of them (test_cases); plain scalars with stand-ins, as all others",
    "layered_values/merge.py": "how many steps a schema may take",
    "layered_values/references.py": "what is wrong with the path of a reference; the path of one in a Secret is not quoted",
    "layered_values/plan.py": QUOTES_NOTHING,
    "tekton_params/check_values.py": STAND_INS,
    "layered_values/tree.py": "the places of two elements that one selector finds: paths and lines",
    "layered_values/schema.py": "a schema; of one in a Secret only its keys",
    "layered_values/validator.py": "the name of a key, or a pattern of the schema; a value by {found}, of a map the type",
    "layered_values/settings.py": CONFIG,
    "layered_values/fields.py": FOUND,
    "layered_values/generated.py": QUOTES_NOTHING,
    "layered_values/draft.py": "a text of a resource that is not a Secret; of places that hold values out of them it is planned with stand-ins",
}


def test_each_file_with_such_places_has_its_guard():
    """One more or less is looked at by a person, who writes its guard into the table."""
    found = [str(path.relative_to(ROOT)) for path in sorted(ROOT.rglob("*.py")) if SITE.search(path.read_text())]
    assert found == sorted(GUARDS)


def test_whatever_a_planner_says_goes_through_one_place():
    """Findings and notes leave a run as `Redaction` tells them: only `resolve` makes an outcome, and only `results` spells a finding.

    `foreign` makes that of a step that is not ours, which has no planner, and hides what it knows from Secrets.
    """
    makers = [path for path in ROOT.rglob("*.py") if re.search(r"\bOutcome\(\n", path.read_text())]
    assert [str(path.relative_to(ROOT)) for path in sorted(makers)] == ["_run/foreign.py", "_run/resolve.py"]
    assert (ROOT / "_run/resolve.py").read_text().count("redaction.hidden([*entries])") == 1
