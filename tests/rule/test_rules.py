"""Each rule has a title, a place in the manual, and a case, a test or a written reason; the code names no other."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from krm_values._kit.process import registry
from tests.rule import known
from tests.rule.cited import cited, places

FUNCTIONS = registry.functions()
_RULE = re.compile(r"(?:Finding|report\.(?:error|warning|info))\([^)]*?\"([DS]?\d{1,3}[a-z]?(?:\.\d)?)\"", re.DOTALL)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_rule_has_a_title_and_a_heading_of_the_manual(name):
    headings = known.headings(name)
    assert [rule for rule, (title, heading) in known.rules(name).items() if not title or heading not in headings] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_findings_name_known_rules(name):
    named = {rule for path in known.sources(name) for rule in _RULE.findall(path.read_text("utf-8"))}
    assert named - set(known.rules(name)) == set()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_rule_has_a_case_or_a_test_or_a_reason(name):
    reasons = known.without_case(name)
    without = [rule for rule in known.rules(name) if not known.cases(name).get(rule) and not places(known.tests(name), rule)]
    assert [rule for rule in without if not reasons.get(rule)] == []
    assert [rule for rule in reasons if rule not in without] == [], "they have a case or a test by now"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_case_names_known_rules(name):
    assert set(known.cases(name)) - set(known.rules(name)) == set()


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


def test_the_command_prints_manual_code_cases_and_tests():
    done = subprocess.run(
        [sys.executable, "-m", "tests.rule", "giantswarm", "21"], capture_output=True, text=True, cwd=known.ROOT, check=True
    )
    assert {line.split(" ")[0] for line in done.stdout.splitlines()} >= {"manual", "case"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.rule", "giantswarm", "999"], capture_output=True, text=True, cwd=known.ROOT, check=False
    )
    assert (done.returncode, "has no rule 999" in done.stderr) == (2, True)
