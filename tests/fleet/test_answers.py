"""`fleet explain`, `fleet impact` and `fleet compare` answer what the commands for one package answer, and say once what is the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from krm_values._cli.arguments import grammar
from krm_values._data.limits import DEFAULT
from krm_values._fleet import answers
from krm_values._run import registry, tools
from tests.cli.packages import command, kptfile, write
from tests.fleet import bases
from tests.fleet.bases import SECRET, edit, grouped, make, one_by_one
from tests.strict_json import loads

COUNT = 40
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def before(tmp_path_factory) -> Path:
    return make(tmp_path_factory.mktemp("bases") / "fleet", COUNT)


@pytest.fixture(scope="module")
def after(tmp_path_factory) -> Path:
    """The same with two edits: of all copies of one base, and of one package alone."""
    root = make(tmp_path_factory.mktemp("bases") / "fleet", COUNT)
    edit(root, "b", "replicas: 3", "replicas: 30")
    own = root / "c003/app8/layers.yaml"
    own.write_text(own.read_text().replace("zone: ", "paused: true, zone: "))
    return root


def answer(*words: str | Path, code: int, cwd: Path) -> dict:
    done = command("fleet", *words, "--json", "--jobs", "2", cwd=cwd)
    assert done.returncode == code, done.stderr
    found = loads(done.stdout)
    schema = json.loads(command("schema", f"fleet-{found['kind'].removeprefix('Fleet').lower()}").stdout)
    Draft202012Validator(schema).validate(found)
    assert SECRET not in done.stdout + done.stderr
    return found


@pytest.mark.parametrize("name", ["fleet-explanation", "fleet-comparison"])
def test_the_schemas_are_printed_and_in_the_documents(name):
    printed = command("schema", name).stdout
    Draft202012Validator.check_schema(json.loads(printed))
    documents = Path(__file__).parents[2] / "docs/schemas"
    assert (documents / f"{json.loads(printed)['title']}.json").read_text() == printed


@pytest.mark.parametrize("pattern", ["spec.replicas", "**.password", "metadata.**"])
def test_explain_answers_what_single_packages_do(before, pattern):
    found = answer("explain", ".", pattern, code=0, cwd=before)
    assert found["packages"] == found["asked"] == COUNT
    single = one_by_one(before, lambda package: ("explain", package, pattern, "--json"), unfolded)
    assert len(single) == COUNT
    assert grouped(found, "values") == single


def unfolded(explanation):
    """The values of an Explanation with their tables in them, as an answer over a fleet has them."""
    steps = [{key: step[key] for key in ("function", "package", "step")} for step in explanation["steps"]]
    named = [{key: value for key, value in one.items() if key != "parent"} for one in explanation["references"]]

    def inside(data):
        if isinstance(data, list):
            return [*map(inside, data)]
        if not isinstance(data, dict):
            return data
        found = {key: inside(value) for key, value in data.items()}
        if isinstance(found.get("step"), int):
            found["step"] = steps[found["step"]]
        if "because" in found:
            found["because"] = [named[number] for number in found["because"]]
        return found

    for value in explanation["values"]:
        document = explanation["documents"][value.pop("document")]
        yield {**inside(value), "file": document["file"]}


def test_compare_answers_what_single_packages_do(after):
    found = answer("compare", ".", "--against", "HEAD", code=1, cwd=after)
    single = one_by_one(
        after, lambda package: ("compare", package, "--against", "HEAD", "--json"), lambda one: iter(one["differences"])
    )
    assert len(single) == 14
    assert grouped(found, "differences") == single
    assert [len(group["packages"]) for group in found["groups"]] == [13, 1]
    assert not found["equal"]


@pytest.mark.parametrize("edited", ["bases/b.yaml:6", "bases/b.yaml:6=9"])
def test_impact_answers_what_single_packages_do(before, edited):
    found = answer("impact", ".", edited, code=1, cwd=before)
    assert found["asked"] == 13, "only those that hold the file"
    file, _, rest = edited.partition(":")
    single = one_by_one(
        before, lambda package: ("impact", f"{package / file}:{rest}", package, "--json"), lambda one: iter(one["differences"])
    )
    assert len(single) == 13
    assert grouped(found, "differences") == single


def test_what_is_the_same_is_said_once(after):
    done = command("fleet", "compare", ".", "--against", "HEAD", cwd=after)
    assert done.returncode == 1
    assert done.stdout == (
        "13 packages: c000/app1, c000/app4, c000/app7 and 10 more\n"
        "  Deployment web\n"
        "    spec.replicas 3 -> 30  because bases/b.yaml:6 changed\n"
        "\n"
        "1 package: c003/app8\n"
        "  Deployment web\n"
        "    spec.paused false -> true  because layers.yaml:10 added\n"
        "\n"
        "14 of 40 packages differ, in 2 groups\n"
    )
    whole = command("fleet", "compare", ".", "--against", "HEAD", "--all", cwd=after).stdout
    assert "13 packages: c000/app1, c000/app4, c000/app7, c001/app0, c001/app3," in whole


def test_packages_that_differ_from_the_rest_are_named(before):
    done = command("fleet", "explain", ".", "metadata.labels.zone", cwd=before)
    assert done.returncode == 0
    assert "37 packages, all but c000/app5, c002/app2, c003/app9\n" in done.stdout
    assert "3 packages: c000/app5, c002/app2, c003/app9\n" in done.stdout


def test_a_file_on_disk_is_that_of_its_package_and_copies_are_mentioned(before):
    done = command("fleet", "impact", ".", "c000/app1/bases/b.yaml:6=9", cwd=before)
    assert done.returncode == 1
    assert done.stdout.startswith("1 package: c000/app1\n")
    assert "12 other packages have a file bases/b.yaml: to ask about all, name it by that path" in done.stderr


def test_a_file_that_links_lead_to_is_one_of_all_their_packages(tmp_path):
    (tmp_path / "base.yaml").write_text(bases.BASE % {"replicas": 2, "base": "x"})
    for name in ("one", "two", "three"):
        package = write(
            tmp_path / "fleet" / name, {"Kptfile": kptfile(bases.STEP), "layers.yaml": bases.LAYERS % {"zone": "x"}}
        )
        write(package, {"deployment.yaml": bases.DEPLOYMENT})
        if name == "three":
            (package / "base.yaml").write_text(bases.BASE % {"replicas": 3, "base": "x"})
        else:
            (package / "base.yaml").symlink_to(tmp_path / "base.yaml")
    found = answer("impact", "fleet", "base.yaml:6=9", "--follow-links", code=1, cwd=tmp_path)
    assert [group["packages"] for group in found["groups"]] == [["one", "two"]]


def test_what_an_edit_breaks_is_a_group(before):
    found = answer("impact", ".", "layers.yaml:8", code=1, cwd=before)
    (group,) = found["groups"]
    assert len(group["packages"]) == COUNT
    assert group["fails"][0] == "layers.yaml:8 is required: without it, a run fails"


def test_packages_that_came_and_went(tmp_path):
    root = make(tmp_path / "fleet", 4)
    (root / "c000/app0").rename(root / "c000/new")
    found = answer("compare", "--against", "HEAD", code=1, cwd=root)
    assert [(group["change"], group["packages"]) for group in found["groups"]] == [
        ("added", ["c000/new"]),
        ("removed", ["c000/app0"]),
    ]
    done = command("fleet", "compare", "--against", "HEAD", "--select", "*/app1", cwd=root)
    assert (done.returncode, done.stdout) == (0, "0 of 1 packages differ\n")


def test_packages_whose_values_only_come_from_another_place_do_not_differ(tmp_path):
    package = shutil.copytree(EXAMPLES / "envgene-sd/three-environments", tmp_path / "fleet/one")
    for words in ("init --quiet", "add .", "-c user.name=x -c user.email=x@example.test commit --quiet --message one"):
        bases.git(package.parent, *words.split())
    assert command("render", package).returncode == 0
    found = answer("compare", "--against", "HEAD", code=0, cwd=package.parent)
    assert found["equal"]
    assert {one["change"] for group in found["groups"] for one in group["differences"]} == {"winner"}
    done = command("fleet", "compare", "--against", "HEAD", cwd=package.parent)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0 of 1 packages differ")


def test_a_package_that_fails_is_named_and_the_others_are_answered(tmp_path):
    root = make(tmp_path / "fleet", 4)
    edit(root, "a", "replicas: 2", "replicas: 20")
    (root / "c000/app1/release.yaml").write_text("a: [\n")
    found = answer("compare", ".", "--against", "HEAD", code=2, cwd=root)
    assert [one["package"] for one in found["failures"]] == ["c000/app1"]
    assert [group["packages"] for group in found["groups"]] == [["c000/app0", "c000/app3"]]
    done = command("fleet", "explain", ".", "spec.replicas", cwd=root)
    assert done.returncode == 1
    assert "error: c000/app1: release.yaml:1:4: is not YAML" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["explain"], 2, "takes the directories of a fleet, and PATTERN as the last word, as `spec.replicas`"),
        (["explain", "."], 2, "must end with PATTERN, as `spec.replicas`: . is a directory"),
        (
            ["explain", ".", "spec.replica"],
            1,
            "no package has a value with the path `spec.replica`; did you mean `spec.replicas`?",
        ),
        (["explain", ".", "replicas"], 1, "; did you mean `spec.replicas`? `**.replicas` matches every path that ends with it"),
        (["impact", ".", "bases/d.yaml:6"], 2, "bases/d.yaml: no package has this file; did you mean `bases/a.yaml`?"),
        (["impact", ".", "bases/b.yaml:99"], 2, "c000/app1 and 12 others: bases/b.yaml: has no line 99: its last one is 8"),
        (["impact", ".", "bases/b.yaml:99", "--all"], 2, "c003/app7: bases/b.yaml: has no line 99: its last one is 8"),
        (["compare", ".", "--against", "none"], 2, "git: "),
        (["compare", "."], 2, "--against"),
        (["explain", "nowhere", "spec.replicas"], 1, "nowhere: is not a directory"),
    ],
)
def test_questions_that_cannot_be_asked(before, words, code, message):
    done = command("fleet", *words, cwd=before)
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr


def parsed(*words):
    known = grammar.build(registry.functions(), "", extensions={}, tools=tools.known(), only="fleet")
    options = known.parse_args(["fleet", *words])
    options.limits = DEFAULT
    return options


@pytest.mark.parametrize("words", [("explain", ".", "a"), ("impact", ".", "a"), ("compare", ".", "--against", "HEAD")])
def test_a_worker_gets_the_options_of_the_command(words):
    flags = ["--follow-links", "--skip-foreign", "--allow-images", "--allow-exec", "--network", "--pull", "--show-secrets"]
    options = parsed(*words, *flags, "--ytt", "/no/such/ytt")
    got = answers.options_of(json.loads(json.dumps(answers.settings_of(options))))
    assert got.limits == DEFAULT
    for flag in flags:
        name = flag.removeprefix("--").replace("-", "_")
        assert getattr(got, name) is True
        assert getattr(answers.options_of(answers.settings_of(parsed(*words))), name) is False
    assert got.tool_ytt == "/no/such/ytt"


def test_values_of_secrets_are_shown_where_they_are_asked_for(tmp_path):
    root = make(tmp_path / "fleet", 2)
    for words in (
        ["explain", ".", "**.password"],
        ["impact", ".", "release.yaml:13=abc"],
        ["compare", ".", "--against", "HEAD"],
    ):
        (root / "c000/app0/release.yaml").write_text(bases.RELEASE.replace(SECRET, f"other-{SECRET}"))
        done = command("fleet", *words, cwd=root)
        assert done.returncode in (0, 1)
        assert SECRET not in done.stdout + done.stderr, words
        assert SECRET in command("fleet", *words, "--show-secrets", cwd=root).stdout, words


def test_equal_and_different_hidden_values_are_one_group(tmp_path):
    root = make(tmp_path / "fleet", 3)
    (root / "c000/app0/release.yaml").write_text(bases.RELEASE.replace(SECRET, f"other-{SECRET}"))
    done = command("fleet", "explain", ".", "**.password", cwd=root)
    assert done.stdout.startswith("3 packages: c000/app0, c000/app1, c000/app2\n"), "that they differ must not be told"


def test_the_forms_and_how_many_groups_are_printed(tmp_path):
    root = make(tmp_path / "fleet", 24)
    for number, package in enumerate(bases.packages(root)):
        layers = package / "layers.yaml"
        layers.write_text(layers.read_text().replace("zone: east", f"zone: zone{number}"))
    done = command("fleet", "explain", ".", "**.zone", cwd=root)
    assert done.stdout.count("    metadata.labels.zone = ") == 20
    assert "\n3 more groups: `--all` prints them\n24 of 24 packages have the value, in 23 groups\n" in done.stdout
    assert command("fleet", "explain", ".", "**.zone", "--all", cwd=root).stdout.count("    metadata.labels.zone = ") == 23
    assert command("fleet", "explain", ".", "**.zone", "--output", "yaml", cwd=root).stdout.startswith(
        "apiVersion: krm-values.dev/v1alpha2\n"
    )
    copies = ["fleet", "impact", ".", "c000/app1/bases/b.yaml:6=9"]
    assert "other packages" in command(*copies, cwd=root).stderr
    assert command(*copies, "--quiet", cwd=root).stderr == ""


def test_causes_that_are_not_decided_are_all_named(tmp_path):
    root = make(tmp_path / "fleet", 3)
    for package in bases.packages(root):
        layers = package / "layers.yaml"
        layers.write_text(layers.read_text().replace("configMap: base", "configMap: other"))
        base = next(package.glob("bases/*.yaml"))
        base.write_text(base.read_text().replace("name: base,", "name: other,").replace("paused: false", "paused: true"))
    found = answer("compare", ".", "--against", "HEAD", "--renders", "0", code=1, cwd=root)
    assert "one of" in {row["proof"] for group in found["groups"] for row in group["differences"]}
    found = answer("compare", ".", "--against", "HEAD", code=1, cwd=root)
    assert "one of" not in {row["proof"] for group in found["groups"] for row in group["differences"]}
