"""Whatever cites a rule cites one of docs/rules; each rule has a case, a test or a written reason."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from krm_values._run import registry
from tests.rule import known
from tests.rule.cited import cited, numbers, places
from tests.rule.without_case import WITHOUT_CASE

FUNCTIONS = registry.functions()
FILES = sorted(known.RULES.glob("*.md"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_code_cases_tests_and_the_manual_cite_rules_that_exist(name):
    files = [*known.sources(name), *known.tests(name), known.manual(name)]
    found = {f"{path.relative_to(known.ROOT)}: {rule}" for path in files for rule in numbers(path) - set(known.rules(name))}
    found |= {f"{known.cases(name)[rule][0][2]}: {rule}" for rule in set(known.cases(name)) - set(known.rules(name))}
    assert found == set()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rules_cite_rules_that_exist(name):
    own = known.own(name)
    assert {rule for found in own.values() for rule in cited(found.text)} <= set(known.rules(name))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_rule_names_a_chapter_of_the_manual(name):
    own = known.own(name)
    assert {rule.chapter for rule in own.values()} <= set(known.headings(name))
    assert not own or f"docs/rules/{known.system(name)}.md" in known.manual(name).read_text("utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_links_of_the_rules_lead_somewhere(path):
    text = path.read_text("utf-8")
    targets = {*re.findall(r"\]\(([^)#]+)", text), *re.findall(r"^\[.+?\]: ([^#\n]+)", text, re.MULTILINE)}
    assert [target for target in targets if not (path.parent / target).is_file()] == []
    assert {rule.chapter for rule in known.read(path).values()} - {""} == set(re.findall(r"^\[(.+?)\]: ", text, re.MULTILINE))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_rule_has_a_case_or_a_test_or_a_reason(path):
    """Decisions between sources (D) are reasons of other rules, and have no case of their own."""
    users = [name for name in FUNCTIONS if path in known.files(name)]
    cases = {rule for name in users for rule in known.cases(name)}
    tested = {rule for name in users for file in known.tests(name) for rule in numbers(file)}
    without = {rule for rule in known.read(path) if rule[0] != "D"} - cases - tested
    assert without == set(WITHOUT_CASE.get(path.stem, {}))


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("The order [D16] of these.", {"D16"}),
        ("rules 44 to 46, 60 and S3", {"44", "45", "46", "60", "S3"}),
        ("rule 7 holds; 8 does not", {"7"}),
        ("nothing at all 73", set()),
    ],
)
def test_a_line_names_rules(line, rules):
    assert cited(line) == rules


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ('Finding("error", "data", "35", text)', {"35"}),
        ('rows = ("error", "no-version", "2"), ("12", "7")', {"2"}),
        ('assert found.rule == "35"', {"35"}),
        ('RULE = "35"', {"35"}),
        ('@pytest.mark.parametrize(("rule", "level"), [("35", "5")])\ndef test_a(): ...', {"35"}),
        ('def test_a():\n    """[35]"""', {"35"}),
        ('value = found[1], {"level": "5"}, "1.10".split("1"), [2]', set()),
    ],
)
def test_a_number_that_is_data_or_an_index_cites_no_rule(line, rules, tmp_path):
    module = tmp_path / "module.py"
    module.write_text(line, "utf-8")
    assert {rule for rule in map(str, range(40)) if places([module], rule)} == rules


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_named_by_its_system(name):
    assert {known.function(word) for word in (name, known.system(name), name.replace("-", "_"))} == {name}


def command(*words):
    return subprocess.run(
        [sys.executable, "-m", "tests.rule", *words], capture_output=True, text=True, cwd=known.ROOT, check=False
    )


def test_the_command_prints_the_rule_manual_code_cases_and_tests():
    lines = command("glasskube", "38").stdout.splitlines()
    rule = known.rules("glasskube-values")["38"]
    assert lines[:2] == [f"docs/rules/glasskube.md:{rule.line}  38. {rule.title}", f"  {rule.text}"]
    assert {line.split(" ")[0] for line in lines[2:]} == {"manual", "code", "case"}
    assert len(command("layered-values").stdout.splitlines()) == len(known.rules("layered-values"))


@pytest.mark.parametrize(
    ("words", "message"), [(["giantswarm", "999"], "has no rule 999"), (["gs"], "layered-values (layers)")]
)
def test_an_unknown_function_or_rule_is_an_error(words, message):
    done = command(*words)
    assert (done.returncode, message in done.stderr) == (2, True)
