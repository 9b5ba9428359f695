"""One grammar: the table of commands is what `--help`, README and the documents say, and a word means the same in each command."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from tests.cli.packages import command, snapshot
from tests.cli.test_commands import on_a_terminal

from krm_values._cli.arguments import table

ROOT = Path(__file__).parents[2]
FIRST = ROOT / "examples/layered-values/first"
DOCUMENTS = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("functions/krm_values/[!_]*/README.md")])
TITLES = {
    "`impact`, `compare`, `--diff`": table.DIFFER,
    "`check`": table.CHECK,
    "other commands": table.RUN,
    "": table.CHECK,  # of docs/check.md
}
"""The columns of tables of exit codes in documents."""


@pytest.fixture
def package(tmp_path):
    """The first example, rendered, in a git repository, so that every command can be tried."""
    folder = Path(shutil.copytree(FIRST, tmp_path / "web", ignore=shutil.ignore_patterns(".expected")))
    assert command("render", folder).returncode == 0
    git = ["git", "-C", str(folder), "-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True)
    return folder


@pytest.mark.parametrize("name", table.COMMANDS)
def test_help_has_the_synopsis_and_examples_and_ends_with_the_exit_codes(name):
    text = command(name, "--help").stdout
    one = table.COMMANDS[name]
    assert " ".join(text.partition("\n\n")[0].split()) == f"usage: {table.usage(name)}"
    assert all(f"  krm-values {example}\n" in text for example in one.examples)
    assert one.examples
    assert text.endswith("exit codes:\n" + "".join(f"  {code}  {says}\n" for code, says in enumerate(one.codes)))
    assert ("exit codes with --diff:\n" in text) == ("--diff" in text)
    long = [line for line in text.splitlines() if len(line) > 80]
    assert long == []


@pytest.mark.parametrize(
    "words", [["envgene", "process"], ["envgene", "sink"], ["glasskube", "new"], ["kustomize", "install-plugins"]]
)
def test_so_does_the_help_of_a_command_of_a_command(words):
    codes = "".join(f"  {code}  {says}\n" for code, says in enumerate(table.RUN))
    assert command(*words, "--help").stdout.endswith(f"exit codes:\n{codes}")


@pytest.mark.parametrize(
    ("words", "synopsis"),
    [
        ("fleet render", "[ROOT...]"),
        ("fleet explain", "[ROOT...] PATTERN"),
        ("fleet impact", "[ROOT...] FILE[:LINE][:PATH][=VALUE]"),
        ("fleet compare", "[ROOT...] --against REV"),
        ("fleet merge", "ROOT BUNDLE..."),
        ("fleet job", "--shards N --image I"),
        ("envgene", "TASK"),
        ("envgene fetch", "APP:VERSION... --repository DIR"),
        ("envgene process", "[DIR]"),
        ("glasskube set", "PACKAGE NAME=VALUE..."),
        ("kustomize install-plugins", ""),
    ],
)
def test_the_synopsis_of_a_command_of_a_command_has_its_words_and_what_must_be_given(words, synopsis):
    usage = " ".join(f"usage: krm-values {words} {synopsis} [OPTION...]".split())
    assert command(*words.split(), "--help").stdout.partition("\n\n")[0] == usage
    assert command(*words.split(), "--none").stderr.startswith(f"{usage}\n")


def calls_of(*words):
    """Return the examples in the help of a command."""
    text = command(*words, "--help").stdout
    found = re.findall(r"^  krm-values (.*)$", text.partition("\nexamples:\n")[2].partition("\n\n")[0], re.MULTILINE)
    assert found, words
    assert not [line for line in found if len(line) > 65], "it would be two lines on a terminal"
    return found


def test_every_command_of_a_command_has_examples_and_they_work(package, tmp_path):
    instance = shutil.copytree(ROOT / "examples/envgene-sd/instance-repository/instance", tmp_path / "instance")
    (instance / "sd.json").write_text('{"applications": [{"version": "ledger:3.2.0", "deployPostfix": "finance"}]}')
    (tmp_path / "v1.0.0").mkdir()
    shutil.copy(ROOT / "examples/glasskube-values/several-targets/manifest.yaml", tmp_path / "v1.0.0/package.yaml")
    folders = {"fleet": package, "envgene": instance, "glasskube": tmp_path}
    variables = {"SD_SOURCE_TYPE": "json", "SD_DATA": (instance / "sd.json").read_text()}
    tried = set()
    for group in ("fleet", "kustomize", "envgene", "glasskube"):
        tasks = [line.partition("\t")[0] for line in command("__complete", group, "").stdout.splitlines()]
        assert tasks
        for task in tasks:
            tried |= {*calls_of(group, task)}
        assert {*calls_of(group)} <= {*tried, *table.COMMANDS[group].examples} if group in table.COMMANDS else tried
    for example in sorted(tried):
        if not example.startswith(("kustomize", "envgene fetch", "envgene sink", "glasskube set", "fleet merge")):
            done = command(*shlex.split(example.partition(" > ")[0]), cwd=folders[example.split()[0]], **variables)
            assert done.returncode in (0, 1), (example, done.stderr)
            assert "error" not in done.stderr, (example, done.stderr)


@pytest.mark.parametrize("name", ["krm-tekton-params", "krm-layered-values"])
def test_the_help_of_a_function_has_its_manual_and_on_a_terminal_says_how_to_read_it(name):
    text = command("--help", program=name).stdout
    assert text.endswith("  3  a defect of krm-values\n")
    assert "\n## Quick start\n" in text
    program = f"import sys; sys.argv = ['{name}', '--help']; from krm_values._cli.main import main; sys.exit(main())"
    shown = on_a_terminal(program=program)
    assert "## Quick start" not in shown
    assert f"krm-values docs {name.removeprefix('krm-')}" in shown


EXAMPLES = [
    (name, example) for name, one in table.COMMANDS.items() for example in one.examples if name not in ("kustomize", "help")
]


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[one for _, one in EXAMPLES])
def test_an_example_works(package, name, example):
    words, _, file = example.partition(" < ")
    stdin = (package / file).read_text() if file else ""
    done = command(*shlex.split(words), stdin=stdin, cwd=package)
    differs = table.COMMANDS[name].codes == table.DIFFER and done.returncode == 1
    assert done.returncode == 0 or differs, done.stderr


def test_every_table_of_exit_codes_is_that_of_the_help():
    seen = 0
    for path in DOCUMENTS:
        for head, body in re.findall(
            r"^\| exit code \|(.*)\|\n\|[ -|]*\n((?:\|.*\|\n)+)", path.read_text("utf-8"), re.MULTILINE
        ):
            titles = [one.strip() for one in head.split("|")]
            rows = [[cell.strip().replace("`", "") for cell in row.strip("|\n").split("|")] for row in body.splitlines()]
            for number, title in enumerate(titles, 1):
                assert [row[number] for row in rows] == [*TITLES[title]], path
                assert [row[0] for row in rows] == ["0", "1", "2", "3"]
                seen += 1
    assert seen >= 7


# Words.


def test_several_lines_are_answered_one_after_the_other(package):
    first, second = (command("why", place, cwd=package).stdout for place in ("layers.yaml:8", "layers.yaml:13"))
    both = command("why", "layers.yaml:8", "layers.yaml:13", cwd=package)
    assert (both.returncode, both.stdout) == (0, f"{first}\n{second}")
    here = command("why", "layers.yaml:8", "layers.yaml:13", ".", cwd=package)
    assert here.stdout == both.stdout
    impacts = [command("impact", place, cwd=package) for place in ("layers.yaml:8", "layers.yaml:13")]
    both = command("impact", "layers.yaml:8", "layers.yaml:13", cwd=package)
    assert [one.returncode for one in (*impacts, both)] == [0, 1, 1]
    assert both.stdout == f"{impacts[0].stdout}\n{impacts[1].stdout}"


def test_lines_of_several_packages_are_answered_each_in_its_own(package, tmp_path):
    shutil.copytree(package, tmp_path / "other")
    both = command("why", "web/layers.yaml:8", "other/layers.yaml:8", cwd=tmp_path)
    one = command("why", "web/layers.yaml:8", cwd=tmp_path)
    assert both.stdout == f"{one.stdout}\n{one.stdout}"


@pytest.mark.parametrize("way", ["layers.yaml", "./layers.yaml", "../web/layers.yaml", "{}/layers.yaml"])
@pytest.mark.parametrize("name", ["why", "impact"])
def test_a_file_is_named_as_a_shell_completes_it(package, way, name):
    expected = command(name, "layers.yaml:8", cwd=package).stdout
    assert command(name, f"{way.format(package)}:8", cwd=package).stdout == expected
    assert command(name, f"{way.format(package)}:8", ".", cwd=package).stdout == expected


@pytest.mark.parametrize("words", [["why", "a.yaml:1"], ["impact", "a.yaml:1"], ["impact", "a.yaml:1=2"]], ids=" ".join)
def test_outside_of_a_package_an_answer_says_what_is_missing(tmp_path, words):
    (tmp_path / "a.yaml").write_text("a: 1\n")
    done = command(*words, cwd=tmp_path)
    assert done.returncode == (2 if words[0] == "impact" else 1)
    text = "is in no package: no directory above it holds a Kptfile; name its package after it, as in `FILE:LINE DIR`"
    assert done.stderr == f"error: a.yaml: {text}\n"


FORMS = [
    ["explain"],
    ["explain", ".", "spec.replicas"],
    ["why", "layers.yaml:8"],
    ["impact", "layers.yaml:13"],
    ["compare", ".", "."],
    ["inputs"],
    ["list"],
]


@pytest.mark.parametrize("words", FORMS, ids=" ".join)
def test_every_answer_is_printed_as_json_and_as_the_same_in_yaml(package, words):
    words = [*words, "."] if words == ["explain"] else words
    printed = command(*words, "-o", "json", cwd=package)
    assert json.loads(printed.stdout)
    assert printed.stdout == command(*words, "--json", cwd=package).stdout
    assert yaml.safe_load(command(*words, "-o", "yaml", cwd=package).stdout) == json.loads(printed.stdout)
    assert command(*words, "-o", "text", cwd=package).stdout == command(*words, cwd=package).stdout


def test_values_are_printed_as_json(package):
    words = ["values", ".", "spec.replicas"]
    assert json.loads(command(*words, "-o", "json", cwd=package).stdout) == yaml.safe_load(command(*words, cwd=package).stdout)
    assert command(*words, "-o", "text", cwd=package).stdout == command(*words, "-o", "yaml", cwd=package).stdout


def test_why_as_json_has_the_values_that_the_line_goes_into(package):
    found = json.loads(command("why", "layers.yaml:8", "layers.yaml:13", "-o", "json", cwd=package).stdout)
    assert [one["path"] for one in found["values"]] == ["spec.replicas"]
    (value,) = found["values"]
    assert [(one["layer"], one["line"]) for one in (value["winner"], *value["overridden"])][:2] == [("prod", 13), ("base", 8)]


def test_what_a_terminal_or_a_host_interprets_is_escaped_in_yaml(package):
    layers = package / "layers.yaml"
    layers.write_text(layers.read_text().replace('"1.27"', '"1\\u202E::set-output ##[x]\\e"'))
    done = command("explain", ".", "-o", "yaml", cwd=package)
    assert all(c.isprintable() or c == "\n" for c in done.stdout)
    assert "##[" not in done.stdout
    assert yaml.safe_load(done.stdout) == json.loads(command("explain", ".", "-o", "json", cwd=package).stdout)


@pytest.mark.parametrize(
    "words",
    [
        ["explain"],
        ["explain", "layered-values"],
        ["values"],
        ["values", "layered-values"],
        ["run"],
        ["run", "layered-values"],
        ["check"],
    ],
    ids=" ".join,
)
def test_on_a_terminal_a_command_without_a_word_is_about_this_directory(package, words):
    named = {"run": [*words, "."]}.get(words[0], [*words, "."])
    done = command(*named, cwd=package)
    shown = on_a_terminal(*words, cwd=package, typed=True, NO_COLOR="1").replace("\r\n", "\n")
    assert (
        done.stdout.replace("\t", " ") in shown.replace("\t", " ") or done.stdout.splitlines()[-3:] == shown.splitlines()[-3:]
    )
    assert "waiting for" not in shown


def test_no_read_command_writes(package):
    shutil.rmtree(package / ".git")
    before = snapshot(package)
    for words in (
        ["explain", "."],
        ["values", "."],
        ["why", "layers.yaml:8"],
        ["impact", "layers.yaml:8"],
        ["compare", ".", "."],
        ["check"],
        ["inputs"],
    ):
        command(*words, cwd=package)
        assert snapshot(package) == before


# Findings of read commands.

READS = {
    "explain": ["explain", ".", "spec.replicas"],
    "values": ["values", ".", "Deployment/web"],
    "why": ["why", "deployment.yaml:6"],
    "impact": ["impact", "layers.yaml:8"],
}


@pytest.fixture
def warned(package):
    """The package with a layer that has a misspelt key, which is a warning about the config."""
    layers = package / "layers.yaml"
    layers.write_text(layers.read_text().replace("      memory: 512Mi\n", "      memory: 512Mi\n      memry: 1\n"))
    return package


@pytest.mark.parametrize("name", ["explain", "values", "why"])
def test_a_question_counts_the_warnings_about_other_resources(warned, name):
    words = READS[name]
    done = command(*words, cwd=warned)
    assert done.stderr == "1 warning about other resources: `-v` prints it\n"
    shown = command(*words, "-v", cwd=warned)
    assert (shown.stdout, shown.stderr.count("warning: layers.yaml:")) == (done.stdout, 1)
    assert command(*words, "-q", cwd=warned).stderr == ""


def test_a_question_about_the_resource_prints_its_warnings(warned):
    for words in (["why", "layers.yaml:13"], ["impact", "layers.yaml:8"], ["explain", "."]):
        assert command(*words, cwd=warned).stderr.count("warning: layers.yaml:") == 1, words


@pytest.mark.parametrize(
    "words", [*READS.values(), ["check"], ["compare", ".", "."], ["explain", ".."], ["check", ".."]], ids=" ".join
)
def test_a_command_that_reads_advises_nothing_that_writes(package, words):
    layers = package / "layers.yaml"
    layers.write_text(layers.read_text().replace("replicas: 3", "replicas: 7"))
    done = command(*words, cwd=package)
    assert re.findall(r"krm-values (?:render(?! --diff)|clean|revert)[^`]*", done.stdout + done.stderr) == []
