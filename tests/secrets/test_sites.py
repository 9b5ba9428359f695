"""Every file with places that put a text of the input, or another's message about it, into a message, and what keeps a Secret's value out."""

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
    "_cli/package/load.py": OURS,
    "_cli/function_config.py": CONFIG,
    "_cli/package/ignore.py": CONFIG,
    "_cli/package/kptfile.py": CONFIG,
    "_cli/package/check.py": OURS,
    "_cli/arguments/limits.py": ARGUMENT,
    "_explain/query.py": ARGUMENT,
    "_explain/git.py": "what git says, and paths of a tree",
    "_explain/impact.py": ARGUMENT,
    "_explain/why.py": ARGUMENT,
    "_cli/main.py": OURS,
    "_cli/arguments/parser.py": ARGUMENT,
    "_cli/pipe.py": CONFIG,
    "_cli/package/pipeline.py": CONFIG,
    "_cli/files.py": OURS,
    "_cli/package/regular_files.py": FILES,
    "_cli/package/steps.py": CONFIG,
    "_kit/process/arguments.py": ARGUMENT,
    "_kit/process/below.py": FILES,
    "_kit/config/read.py": CONFIG,
    "_kit/config/model.py": CONFIG,
    "_kit/kio/split/scan.py": "UnprovedError is caught: the slower reader says it",
    "_data/errors.py": FILES,
    "_kit/kio/split/events.py": "of what stands in the place of `items` the type, or a word",
    "_kit/planner/fields.py": STAND_INS,
    "_kit/kio/filenames.py": "a file's name, which no value of a Secret is a part of",
    "_data/scalars/strconv.py": CODE,
    "_golang/jsonpath/evaluate.py": STAND_INS,
    "_kit/layers/layer_text.py": "goyaml.read with `secret`: that it is no YAML, and where",
    "_kit/layers/configmaps.py": "of a Secret the type only, `type_of`",
    "_yaml/parser.py": "libyaml's messages are constants; what PyYAML quotes is taken out (test_parsers)",
    "_kit/planner/plan.py": OURS,
    "_data/record.py": CODE,
    "_kit/undo/recorder.py": OURS,
    "_kit/kio/reader.py": "a value that does not fit, only of what cannot be a Secret (test_unfit_values)",
    "_kit/kio/resourcelist.py": "kind and apiVersion of a list, which are structure",
    "_kit/planner/findings.py": FOUND,
    "_kit/engine/run.py": OURS,
    "_data/shown.py": FOUND,
    "_yaml/edit/editor.py": OURS,
    "_yaml/encoding.py": OURS,
    "_kit/api/unread.py": OURS,
    "_kit/process/write.py": FILES,
    "cartographer_params/resolve/matching.py": STAND_INS,
    "cartographer_params/realize/outputs.py": STAND_INS,
    "cartographer_params/queue.py": STAND_INS,
    "cartographer_params/stamp/ytt_process.py": STAND_INS,
    "cartographer_params/stamp/rendering.py": STAND_INS,
    "cartographer_params/blueprints/selectors.py": STAND_INS,
    "cartographer_params/realize/supplied_outputs.py": CONFIG,
    "cartographer_params/tags/tags.py": STAND_INS,
    "cartographer_params/stamp/ytt.py": STAND_INS,
    "envgene_sd/artifacts/coordinates.py": ARGUMENT,
    "envgene_sd/web/checksums.py": NET,
    "envgene_sd/artifacts/client.py": NET,
    "envgene_sd/artifacts/decryption.py": "SopsError: words of ours; sops' own output is thrown away",
    "envgene_sd/artifacts/definitions.py": "a definition of an application or registry, which has the name of a credential only",
    "envgene_sd/sd/descriptors.py": STAND_INS,
    "envgene_sd/artifacts/faults.py": CREDENTIALS,
    "envgene_sd/artifacts/fetch.py": NET,
    "envgene_sd/sd/headers.py": STAND_INS,
    "envgene_sd/inputs/incoming.py": STAND_INS,
    "envgene_sd/sd/near_keys.py": STAND_INS,
    "envgene_sd/commands/list_reader.py": OURS,
    "envgene_sd/commands/options.py": FILES,
    "envgene_sd/inputs/parameters.py": CONFIG,
    "envgene_sd/artifacts/repository.py": CREDENTIALS,
    "envgene_sd/commands/runner.py": CONFIG,
    "envgene_sd/inputs/sd_data.py": "json's message without its excerpt",
    "envgene_sd/commands/sink.py": OURS,
    "envgene_sd/web/sops.py": "what the system says of a program that does not start",
    "envgene_sd/artifacts/transport.py": NET,
    "flux_values/compose/values.py": QUOTES_NOTHING,
    "flux_values/inline.py": QUOTES_NOTHING,
    "flux_values/plan.py": QUOTES_NOTHING,
    "flux_values/release.py": STAND_INS,
    "glasskube_values/run/apply.py": QUOTES_NOTHING,
    "glasskube_values/manifest/candidates.py": STAND_INS,
    "glasskube_values/manifest/constraints.py": "the pattern, which is of the manifest; the length of a Secret's value is not told",
    "glasskube_values/commands/values.py": "labels and options of a manifest; a value is never quoted",
    "glasskube_values/lint/manifest.py": STAND_INS,
    "glasskube_values/lint/files.py": OURS,
    "glasskube_values/lint/targets.py": QUOTES_NOTHING,
    "glasskube_values/lint/templates.py": QUOTES_NOTHING,
    "glasskube_values/patch/embedded.py": "pointers of the manifest, and messages of parser and editor, but not for a Secret",
    "glasskube_values/patch/patches.py": QUOTES_NOTHING,
    "_golang/regexp.py": STAND_INS,
    "glasskube_values/values/source_path.py": STAND_INS,
    "glasskube_values/manifest/targets.py": STAND_INS,
    "_golang/template/parser.py": QUOTES_NOTHING,
    "glasskube_values/run/transformations.py": STAND_INS,
    "glasskube_values/patch/value_template.py": QUOTES_NOTHING,
    "layered_values/compose/chains.py": "how many steps a schema may take",
    "layered_values/read/spelt.py": STAND_INS,
    "layered_values/compose/references.py": "what is wrong with the path of a reference; the path of one in a Secret is not quoted",
    "layered_values/plan.py": QUOTES_NOTHING,
    "layered_values/read/texts.py": "Go's reader is told of Secrets, and quotes nothing of them (test_cases)",
    "layered_values/schema/check.py": FOUND,
    "layered_values/schema/keywords.py": "a schema; of one in a Secret only its keys",
    "layered_values/schema/validator.py": "the name of a key, or a pattern of the schema",
    "layered_values/syntax/read_config.py": CONFIG,
    "layered_values/write/fields.py": FOUND,
    "layered_values/write/generated.py": QUOTES_NOTHING,
    "layered_values/write/inside.py": "a text of a resource that is not a Secret; of places that hold values out of them it is planned with stand-ins",
    "tekton_params/checks/pitfalls.py": STAND_INS,
}


def test_each_file_with_such_places_has_its_guard():
    """One more or less is looked at by a person, who writes its guard into the table."""
    found = [str(path.relative_to(ROOT)) for path in sorted(ROOT.rglob("*.py")) if SITE.search(path.read_text())]
    assert found == sorted(GUARDS)


def test_whatever_a_planner_says_goes_through_the_kit():
    """Findings and notes leave a run as `Redaction` tells them: only the kit makes an outcome, and only `results` spells a finding."""
    makers = [path for path in ROOT.rglob("*.py") if re.search(r"\bOutcome\(\n", path.read_text())]
    assert [str(path.relative_to(ROOT)) for path in makers] == ["_kit/api/resolve.py"]
    assert (ROOT / "_kit/api/resolve.py").read_text().count("redaction.hidden(decided)") == 1
