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
    "_cli/files.py": OURS,
    "_cli/functionconfig.py": CONFIG,
    "_cli/ignore.py": CONFIG,
    "_cli/kptfile.py": CONFIG,
    "_cli/krm.py": OURS,
    "_cli/limits.py": ARGUMENT,
    "_cli/main.py": OURS,
    "_cli/parser.py": ARGUMENT,
    "_cli/pipe.py": CONFIG,
    "_cli/pipeline.py": CONFIG,
    "_cli/plain.py": OURS,
    "_cli/reading.py": FILES,
    "_cli/steps.py": CONFIG,
    "_kit/arguments.py": ARGUMENT,
    "_kit/below.py": FILES,
    "_kit/config.py": CONFIG,
    "_kit/configmodel.py": CONFIG,
    "_kit/cut.py": "UnprovedError is caught: the slower reader says it",
    "_kit/errors.py": FILES,
    "_kit/events.py": "of what stands in the place of `items` the type, or a word",
    "_kit/fields.py": STAND_INS,
    "_kit/filenames.py": "a file's name, which no value of a Secret is a part of",
    "_kit/gofloat.py": CODE,
    "_kit/journal.py": FILES,
    "_kit/jsonpath.py": STAND_INS,
    "_kit/layertext.py": "goyaml.read with `secret`: that it is no YAML, and where",
    "_kit/objects.py": "of a Secret the type only, `type_of`",
    "_kit/parser.py": "libyaml's messages are constants; what PyYAML quotes is taken out (test_parsers)",
    "_kit/plan.py": OURS,
    "_kit/record.py": CODE,
    "_kit/recorded.py": OURS,
    "_kit/resourcelist.py": "kind and apiVersion of a list, which are structure",
    "_kit/results.py": FOUND,
    "_kit/run.py": OURS,
    "_kit/shown.py": FOUND,
    "_kit/splice.py": OURS,
    "_kit/text.py": OURS,
    "_kit/unread.py": OURS,
    "_kit/writer.py": FILES,
    "cartographer_params/matching.py": STAND_INS,
    "cartographer_params/outputs.py": STAND_INS,
    "cartographer_params/owning.py": STAND_INS,
    "cartographer_params/program.py": STAND_INS,
    "cartographer_params/rendering.py": STAND_INS,
    "cartographer_params/selectors.py": STAND_INS,
    "cartographer_params/supplied.py": CONFIG,
    "cartographer_params/template.py": STAND_INS,
    "cartographer_params/ytt.py": STAND_INS,
    "envgene_sd/artifacts.py": ARGUMENT,
    "envgene_sd/checksums.py": NET,
    "envgene_sd/client.py": NET,
    "envgene_sd/decryption.py": "SopsError: words of ours; sops' own output is thrown away",
    "envgene_sd/definitions.py": "a definition of an application or registry, which has the name of a credential only",
    "envgene_sd/descriptors.py": STAND_INS,
    "envgene_sd/faults.py": CREDENTIALS,
    "envgene_sd/fetch.py": NET,
    "envgene_sd/headers.py": STAND_INS,
    "envgene_sd/incoming.py": STAND_INS,
    "envgene_sd/near_keys.py": STAND_INS,
    "envgene_sd/options.py": FILES,
    "envgene_sd/parameters.py": CONFIG,
    "envgene_sd/repository.py": CREDENTIALS,
    "envgene_sd/running.py": CONFIG,
    "envgene_sd/sd_data.py": "json's message without its excerpt",
    "envgene_sd/sink.py": OURS,
    "envgene_sd/sops.py": "what the system says of a program that does not start",
    "envgene_sd/transport.py": NET,
    "flux_values/composition.py": QUOTES_NOTHING,
    "flux_values/inlining.py": QUOTES_NOTHING,
    "flux_values/plan.py": QUOTES_NOTHING,
    "flux_values/release.py": STAND_INS,
    "glasskube_values/applying.py": QUOTES_NOTHING,
    "glasskube_values/candidates.py": STAND_INS,
    "glasskube_values/constraints.py": "the pattern, which is of the manifest; the length of a Secret's value is not told",
    "glasskube_values/lint.py": STAND_INS,
    "glasskube_values/lintfiles.py": OURS,
    "glasskube_values/linttargets.py": QUOTES_NOTHING,
    "glasskube_values/linttemplates.py": QUOTES_NOTHING,
    "glasskube_values/patches.py": QUOTES_NOTHING,
    "glasskube_values/pattern.py": STAND_INS,
    "glasskube_values/sourcepath.py": STAND_INS,
    "glasskube_values/targets.py": STAND_INS,
    "glasskube_values/templateparser.py": QUOTES_NOTHING,
    "glasskube_values/transformations.py": STAND_INS,
    "glasskube_values/valuetemplate.py": QUOTES_NOTHING,
    "tekton_params/traps.py": STAND_INS,
}


def test_each_file_with_such_places_has_its_guard():
    """One more or less is looked at by a person, who writes its guard into the table."""
    found = [str(path.relative_to(ROOT)) for path in sorted(ROOT.rglob("*.py")) if SITE.search(path.read_text())]
    assert found == sorted(GUARDS)


def test_whatever_a_planner_says_goes_through_the_kit():
    """Findings and notes leave a run as `Redaction` tells them: only the kit makes an outcome, and only `results` spells a finding."""
    makers = [path for path in ROOT.rglob("*.py") if re.search(r"\bOutcome\(\n", path.read_text())]
    assert [str(path.relative_to(ROOT)) for path in makers] == ["_kit/function.py"]
    assert (ROOT / "_kit/function.py").read_text().count("redaction.told(decided)") == 1
