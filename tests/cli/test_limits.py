"""The limits of a run: a row of `docs/limits.md`, a variable and a clear error for each; nothing else reads the variables."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest
from tests.cli.packages import STEP, command, kptfile

from krm_values._cli.arguments.limits import LIMITS, of_environment, variable
from krm_values._data.errors import InputError, UsageError
from krm_values._data.limits import DEEPEST, DEFAULT, Limits, fields
from krm_values._data.record import replace
from krm_values._krm.files import Reader

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "limits.md").read_text("utf-8")
PACKAGE = ROOT / "functions" / "krm_values"
BOUND = re.compile(r"MOST|LONGEST|LIMIT|MAX|MANY|DEEPEST|LEVELS|STEPS|WORK|RUN|ENTRIES|DEPTH|HIGHEST|OUTPUT")
NO_BOUNDS = {
    "_yaml.emit._LONGEST_KEY": "a style: a longer key is written as a complex one",
    "_krm.scan._MANY": "which of two searches is faster",
    "_data.go_numbers._LONGEST": "digits of a number that has any",
    "_data.go_numbers.MOST": "the highest number of 64 bits",
    "_krm.config._LONGEST": "of a config's name, which annotations carry",
    "_krm.model._MANY": "how many mistakes are shown",
    "_data.suggest._LONGEST": "of a word that is near to another",
    "_krm.packages._LONGEST_WRITTEN": "of the expression that a pattern becomes",
    "_explain.as_json._MANY": "of what is kept encoded",
    "_explain.compare._LONGEST": "of a text in Markdown",
    "_explain.page.data._LONGEST": "of a name beside an index",
    "_explain.values._MOST": "how many layers a sentence names",
    "_data.limits.DEEPEST": "told with the variable",
    "flux_values.compose._MANY": "of layers in a message",
    "flux_values.strvals._MOST": "a number of 64 bits",
    "cartographer_params.stamp._LONGEST_LABEL": "of Kubernetes",
    "cartographer_params.stamp._LONGEST_NAME": "of Kubernetes",
    "cartographer_params.owner._MOST_DIGITS": "of Kubernetes",
    "cartographer_params.tags._LONGEST": "of a text in a message",
    "_fleet.dask._LONGEST": "of a text in a message",
    "glasskube_values.constraints.MOST": "a number of 64 bits",
    "_cli.kustomize._LONGEST": "of a plugin file that krm-values wrote",
    "layered_values.paths._MOST_DOTS": "of a key that a message suggests",
    "layered_values.schema._STEPS": "of a loop in a message",
    "layered_values.schema.PATTERN_WORK": "how the work of a pattern is counted in steps",
}
RUN = """\
- apiVersion: tekton.dev/v1
  kind: PipelineRun
  metadata: {name: run, namespace: ci}
  spec:
    params:
    - {name: a, value: b}
    pipelineSpec:
      tasks:
      - name: t
        taskSpec: {steps: [{name: s, image: i, script: "$(params.a)"}]}
"""


def listed(items: str) -> str:
    return (
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
        "functionConfig: {apiVersion: krm-values.dev/v1alpha1, kind: TektonParams, metadata: {name: c}}\n"
        f"items:\n{items}"
    )


def rows(heading: str) -> list[list[str]]:
    """The cells of the rows of a table."""
    part = DOCUMENT.partition(heading)[2] if heading else DOCUMENT.partition("\n## ")[0]
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("| ")]
    return [row for row in found[1:] if not row[0].startswith("-")]


def test_each_limit_has_a_row():
    told = {row[0].strip("`"): int(row[1].replace(",", "")) for row in rows("")}
    assert told == {variable(field): getattr(DEFAULT, field) for field in fields()}


def test_the_fixed_bounds_are_what_the_document_says():
    for bound, _, constant in rows("## Fixed bounds"):
        module, _, name = constant.strip("`").rpartition(".")
        assert getattr(importlib.import_module(f"krm_values.{module}"), name) == int(bound.replace(",", "")), constant


def test_every_bound_of_a_module_is_in_the_document():
    told = {row[2].strip("`") for row in rows("## Fixed bounds")}
    assert bounds() - told == NO_BOUNDS.keys()


def bounds() -> set[str]:
    """The numbers that modules name like bounds."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        module = path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                found |= {f"{module}.{name}" for name, value in assigned(node) if is_bound(name, value)}
    return found


def assigned(node: ast.Assign) -> list[tuple[str, ast.expr]]:
    """The names of an assignment, each with its value."""
    (target,), value = node.targets, node.value
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    values = value.elts if isinstance(value, ast.Tuple) else [value]
    return [(ast.unparse(name), one) for name, one in zip(names, values, strict=False)]


def is_bound(name: str, value: ast.expr) -> bool:
    computed = eval(compile(ast.Expression(value), "", "eval"), {}) if is_number(value) else None
    return BOUND.search(name) is not None and isinstance(computed, int)


def is_number(value: ast.expr) -> bool:
    return all(isinstance(node, ast.Constant | ast.BinOp | ast.operator) for node in ast.walk(value))


def test_one_module_reads_the_variables():
    assert [path.name for path in PACKAGE.rglob("*.py") if "KRM_VALUES_MAX" in path.read_text("utf-8")] == ["limits.py"]
    users = [path for path in PACKAGE.rglob("*.py") if "of_environment(" in path.read_text("utf-8")]
    assert sorted(path.relative_to(PACKAGE).as_posix() for path in users) == ["_cli/arguments/limits.py", "_cli/main.py"]


@pytest.mark.parametrize("field", fields())
def test_a_variable_sets_its_limit(field):
    found = of_environment({variable(field): "7", "OTHER": "8"})
    assert {name for name in fields() if getattr(found, name) != getattr(DEFAULT, name)} == {field}
    assert getattr(found, field) == 7


def test_without_variables_the_defaults_hold():
    assert of_environment({"HOME": "/"}) is LIMITS


@pytest.mark.parametrize("value", ["", "0", "-1", "1.5", "1e3", "many", " 7", "٣", "1" * 16, "1" * 6000, "\x1b[2J"])
def test_a_bad_value_is_a_usage_error(value):
    with pytest.raises(UsageError, match=r"^KRM_VALUES_MAX_DEPTH: must be a whole number from 1 on") as raised:
        of_environment({"KRM_VALUES_MAX_DEPTH": value})
    assert "\x1b" not in str(raised.value)
    assert len(str(raised.value)) < 200


def test_a_depth_that_python_does_not_reach_is_a_usage_error():
    with pytest.raises(UsageError, match=r"^KRM_VALUES_MAX_DEPTH: must not be more than 1,000, found 1,001$"):
        of_environment({"KRM_VALUES_MAX_DEPTH": str(DEEPEST + 1)})


def test_a_misspelt_variable_is_a_usage_error():
    with pytest.raises(UsageError, match=r"^KRM_VALUES_MAX_DEPHT: is not a limit; did you mean `KRM_VALUES_MAX_DEPTH`"):
        of_environment({"KRM_VALUES_MAX_DEPHT": "7"})


def deep(levels: int) -> str:
    return RUN.replace("    params:", f"    x-deep: {'[' * levels}{']' * levels}\n    params:")


LISTS = {
    "input_bytes": (RUN, 100, "stdin: must not have more than 100 bytes, found more"),
    "items": (RUN + RUN.replace("run", "other"), 1, ": must not have more than 1 items, found 2"),
    "depth": (deep(30), 20, "must not nest deeper than 20 levels, found a deeper one"),
    "aliases": (
        RUN.replace("    params:", "    x-a: &a [b, c]\n    x-b: *a\n    x-c: *a\n    params:"),
        5,
        "must not repeat more than 5 values by aliases",
    ),
    "scalar_length": (RUN.replace("value: b", f"value: {'b' * 300}"), 200, "a scalar of more than 200 characters, found 300"),
    "findings": (RUN.replace("{name: a, value: b}", "{name: a, vlaue: b, nmae: c, x-y: d}"), 1, "not be more than 1 findings"),
}


def piped(text: str, *arguments: str, **environment: str) -> tuple[int, str, str]:
    done = command(*(arguments or ("run", "tekton-params")), stdin=text, **environment)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("field", LISTS)
def test_a_limit_of_a_list_that_is_reached_is_an_error_with_the_variable(field):
    items, most, said = LISTS[field]
    assert piped(listed(items))[0] == (0 if field != "findings" else 1)
    code, out, err = piped(listed(items), **{variable(field): str(most)})
    assert code == 1
    assert said in err
    assert f"{variable(field)} raises the limit" in err
    assert "results:" in out or not out


@pytest.mark.parametrize("field", LISTS)
def test_a_raised_limit_lets_the_list_through(field):
    items, most, _ = LISTS[field]
    code, _, err = piped(listed(items), **{variable(field): str(most * 40)})
    assert variable(field) not in err
    assert code == (0 if field != "findings" else 1)


def test_a_config_raises_no_limit():
    text = listed(deep(300)).replace("name: c}}", "name: c, annotations: {KRM_VALUES_MAX_DEPTH: '500'}}}")
    assert "must not nest deeper than 200 levels" in piped(text)[2]


def test_a_deep_text_is_read_explained_and_edited_where_that_is_allowed():
    text = listed(deep(900))
    code, out, err = piped(text, KRM_VALUES_MAX_DEPTH="1000")
    assert (code, err) == (0, "")
    assert out != text
    code, out, err = piped(text, "explain", "tekton-params", "--json", KRM_VALUES_MAX_DEPTH="1000")
    assert (code, err) == (0, "")


def test_a_bad_variable_ends_the_run():
    code, out, err = piped(listed(RUN), KRM_VALUES_MAX_DEPTH="deep")
    assert (code, out) == (2, "")
    assert (
        err
        == 'error: KRM_VALUES_MAX_DEPTH: must be a whole number from 1 on, written in at most 15 digits; found string "deep"\n'
    )


FILES = {
    "file_bytes": (200, "app.yaml: must not have more than 200 bytes, found 232"),
    "total_bytes": (400, "must not be read: the files of the directory have more than 400 bytes with it"),
    "files": (1, "must not be read: the directory has more than 1 files"),
    "ignore_bytes": (3, ".krmignore: must not have more than 3 bytes, found 6"),
    "items": (1, "must not have more than 1 items with the files before it, found 2"),
    "depth": (2, "must not nest deeper than 2 levels"),
}


@pytest.mark.parametrize("field", FILES)
def test_a_reached_limit_of_a_package_names_the_variable(field, tmp_path):
    most, said = FILES[field]
    (tmp_path / "Kptfile").write_text(kptfile(STEP))
    (tmp_path / ".krmignore").write_text("other\n")
    run = "\n".join(line[2:] for line in RUN.splitlines()) + "\n"
    (tmp_path / "app.yaml").write_text(run)
    (tmp_path / "other.yml").write_text(run.replace("run,", "second,"))
    done = command("render", tmp_path, "--diff", **{variable(field): str(most)})
    assert done.returncode == 2
    assert said in done.stderr
    assert f"{variable(field)} raises the limit" in done.stderr
    assert command("render", tmp_path, "--diff").returncode == 1


def test_as_many_files_as_the_limit_are_read(tmp_path):
    for name in "abc":
        (tmp_path / name).write_text(name)
    with Reader(tmp_path, replace(DEFAULT, files=2)) as reader:
        assert [reader.read(name) for name in "ab"] == [b"a", b"b"]
        with pytest.raises(InputError, match="more than 2 files"):
            reader.read("c")


def test_every_limit_is_reached_by_a_test():
    elsewhere = {"decoded_bytes", "chains", "patches"}  # of functions: their own tests
    elsewhere |= {"step_seconds", "step_memory"}  # tests/hosts/test_foreign_steps.py
    assert {*LISTS, *FILES, *elsewhere} == {*fields()}
    assert isinstance(DEFAULT, Limits)


def test_commands_of_a_function_name_the_variable_too(tmp_path):
    manifest = tmp_path / "package.yaml"
    manifest.write_text("name: a\n" * 10)
    words = [
        ("glasskube", "new", manifest, "--package-version", "v1"),
        ("glasskube", "set", manifest, "a=b"),
        ("lint", "glasskube-values", manifest),
    ]
    for one in words:
        done = command(*one, KRM_VALUES_MAX_INPUT_BYTES="20")
        assert done.returncode == 1
        assert "KRM_VALUES_MAX_INPUT_BYTES raises the limit" in done.stderr + done.stdout
