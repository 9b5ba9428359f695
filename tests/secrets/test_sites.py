"""Every place that puts a text of the input, or another's message about it, into a message, and what keeps a Secret's value out of it."""

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
CONFIG = "a functionConfig or Kptfile, which are no Secrets"
FOUND = "shown by {found} or {typed}, which `results` hides in Secrets and at places that hold values out of them"
QUOTES_NOTHING = "its message quotes nothing of the value (test_cases)"
CREDENTIALS = "envgene's files of credentials are read with `secret`: place and kind of fault (test_broken)"
NET = "an address without its user, and what the transport calls the fault (tests/functions/envgene_sd/test_client.py)"
CODE = "for who debugs the code: no message has it (test_faults)"
GUARDS: dict[str, tuple[int, str]] = {
    "_cli/files.py": (1, OURS),
    "_cli/functionconfig.py": (1, CONFIG),
    "_cli/kptfile.py": (2, CONFIG),
    "_cli/krm.py": (1, OURS),
    "_cli/main.py": (3, OURS),
    "_cli/pipeline.py": (2, CONFIG),
    "_cli/reading.py": (1, FILES),
    "_cli/steps.py": (1, CONFIG),
    "_kit/below.py": (3, FILES),
    "_kit/config.py": (4, CONFIG),
    "_kit/cut.py": (1, "UnprovedError is caught: the slower reader says it"),
    "_kit/errors.py": (2, FILES),
    "_kit/fields.py": (2, STAND_INS),
    "_kit/gofloat.py": (1, CODE),
    "_kit/journal.py": (2, FILES),
    "_kit/jsonpath.py": (4, STAND_INS),
    "_kit/layertext.py": (1, "goyaml.read with `secret`: that it is no YAML, and where"),
    "_kit/model.py": (2, CODE),
    "_kit/modelcheck.py": (4, CONFIG),
    "_kit/objects.py": (2, "of a Secret the type only, `type_of`"),
    "_kit/parser.py": (2, "libyaml's messages are constants; what PyYAML quotes is taken out (test_parsers)"),
    "_kit/plan.py": (1, OURS),
    "_kit/record.py": (3, CODE),
    "_kit/recorded.py": (2, OURS),
    "_kit/results.py": (1, FOUND),
    "_kit/run.py": (1, OURS),
    "_kit/shown.py": (1, FOUND),
    "_kit/splice.py": (1, OURS),
    "_kit/text.py": (1, OURS),
    "_kit/writer.py": (6, FILES),
    "cartographer_params/matching.py": (1, STAND_INS),
    "cartographer_params/outputs.py": (1, STAND_INS),
    "cartographer_params/owning.py": (1, STAND_INS),
    "cartographer_params/program.py": (2, STAND_INS),
    "cartographer_params/rendering.py": (1, STAND_INS),
    "cartographer_params/selectors.py": (1, STAND_INS),
    "cartographer_params/template.py": (2, STAND_INS),
    "cartographer_params/ytt.py": (1, STAND_INS),
    "envgene_sd/client.py": (2, NET),
    "envgene_sd/config.py": (3, CONFIG),
    "envgene_sd/decryption.py": (1, "SopsError: words of ours; sops' own output is thrown away"),
    "envgene_sd/definitions.py": (2, "a definition of an application or registry, which has the name of a credential only"),
    "envgene_sd/descriptors.py": (2, STAND_INS),
    "envgene_sd/faults.py": (1, CREDENTIALS),
    "envgene_sd/fetch.py": (2, NET),
    "envgene_sd/incoming.py": (1, STAND_INS),
    "envgene_sd/options.py": (3, FILES),
    "envgene_sd/parameters.py": (1, CONFIG),
    "envgene_sd/repository.py": (1, CREDENTIALS),
    "envgene_sd/running.py": (1, CONFIG),
    "envgene_sd/sd_data.py": (1, "json's message without its excerpt"),
    "envgene_sd/sink.py": (3, OURS),
    "envgene_sd/sops.py": (1, "what the system says of a program that does not start"),
    "envgene_sd/transport.py": (1, NET),
    "flux_values/composition.py": (1, QUOTES_NOTHING),
    "flux_values/inlining.py": (1, QUOTES_NOTHING),
    "flux_values/plan.py": (1, QUOTES_NOTHING),
    "flux_values/release.py": (1, STAND_INS),
    "glasskube_values/applying.py": (1, QUOTES_NOTHING),
    "glasskube_values/constraints.py": (1, "the pattern, which is of the manifest; the length of a Secret's value is not told"),
    "glasskube_values/lint.py": (1, STAND_INS),
    "glasskube_values/lintfiles.py": (2, OURS),
    "glasskube_values/linttargets.py": (2, QUOTES_NOTHING),
    "glasskube_values/linttemplates.py": (3, QUOTES_NOTHING),
    "glasskube_values/patches.py": (2, QUOTES_NOTHING),
    "glasskube_values/pattern.py": (2, STAND_INS),
    "glasskube_values/sourcepath.py": (2, STAND_INS),
    "glasskube_values/transformations.py": (2, STAND_INS),
    "glasskube_values/valuetemplate.py": (1, QUOTES_NOTHING),
    "tekton_params/traps.py": (4, STAND_INS),
}


def test_each_site_has_its_guard():
    """One more or less is looked at by a person, who writes its guard into the table."""
    found = {str(path.relative_to(ROOT)): len(SITE.findall(path.read_text())) for path in sorted(ROOT.rglob("*.py"))}
    assert {path: count for path, count in found.items() if count} == {path: count for path, (count, _) in GUARDS.items()}


def test_whatever_a_planner_says_goes_through_the_kit():
    """Findings and notes leave a run as `Redaction` tells them: only the kit makes an outcome, and only `results` spells a finding."""
    makers = [path for path in ROOT.rglob("*.py") if re.search(r"\bOutcome\(\n", path.read_text())]
    assert [str(path.relative_to(ROOT)) for path in makers] == ["_kit/function.py"]
    assert (ROOT / "_kit/function.py").read_text().count("redaction.told(decided)") == 1
