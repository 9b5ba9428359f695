"""Templates written for ytt, with a program of our own where ytt would stand: it answers with YAML made of what it is given."""

from __future__ import annotations

import json

import pytest

from krm_values._go.jsonpath import UNKNOWN
from krm_values.cartographer_params import owner, rendering
from tests.cli.packages import command, kptfile, write

PROGRAM = """\
#!/bin/sh
for word; do case "$word" in image=*) image=${word#image=};; esac; done
cat
test -n "$image" || { echo "ytt: Error: no image" >&2; exit 1; }
echo "data: {image: $image}"
echo "---"
echo "second: document"
"""
OBJECTS = """\
apiVersion: carto.run/v1alpha1
kind: ClusterImageTemplate
metadata:
  name: build
spec:
  imagePath: .data.image
  ytt: |
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: built
---
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata:
  name: chain
spec:
  selector:
    lane: a
  resources:
  - name: first
    templateRef:
      kind: ClusterImageTemplate
      name: start
  - name: second
    templateRef:
      kind: ClusterImageTemplate
      name: build
    images:
    - name: base
      resource: first
---
apiVersion: carto.run/v1alpha1
kind: ClusterImageTemplate
metadata:
  name: start
spec:
  imagePath: PATH
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: started
    data:
      image: registry/a:1
---
apiVersion: carto.run/v1alpha1
kind: Workload
metadata:
  name: parcel
  namespace: dock
  labels:
    lane: a
spec: {}
"""
CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: CartographerParams\nmetadata:\n  name: c\nspec:\n  ytt: true\n"


@pytest.fixture
def package(tmp_path):
    """A package whose pipeline calls the function's script, and the program beside it."""
    program = tmp_path / "ytt"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    objects = OBJECTS.replace("PATH", ".data.image")
    step = kptfile("exec: krm-cartographer-params, configPath: c.yaml")
    return program, write(tmp_path / "package", {"Kptfile": step, "c.yaml": CONFIG, "objects.yaml": objects})


def test_the_first_document_is_the_object_and_its_output_is_followed(package):
    program, directory = package
    done = command("run", "cartographer-params", "--config", directory / "c.yaml", "--ytt", program, directory / "objects.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("name: built") == 3  # in its template, as an object, and in ResolvedParams
    assert "image: registry/a:1" in done.stdout.rpartition("name: built")[2]
    assert "second: document" not in done.stdout


@pytest.mark.parametrize("way", ["option", "variable", "both", "script", "name on the path"])
def test_the_program_is_named_by_an_option_or_else_a_variable(package, way):
    program, directory = package
    config, objects = directory / "c.yaml", directory / "objects.yaml"
    run = ["run", "cartographer-params", "--config", config, objects]
    done = {
        "option": lambda: command(*run, "--ytt", program),
        "variable": lambda: command(*run, KRM_VALUES_YTT=str(program)),
        "both": lambda: command(*run, "--ytt", program, KRM_VALUES_YTT="/no/such/program"),
        "script": lambda: command(config, objects, "--ytt", program, program="krm-cartographer-params"),
        "name on the path": lambda: command(*run, "--ytt", "ytt", PATH=f"{program.parent}:/usr/bin:/bin"),
    }[way]()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("name: built") == 3  # in its template, as an object, and in ResolvedParams


@pytest.mark.parametrize("command_line", [("render", "--ytt"), ("explain", "--json", "--ytt")])
def test_packages_are_rendered_and_explained_with_it(package, command_line):
    program, directory = package
    before = (directory / "objects.yaml").read_bytes()
    assert command(*command_line, program, directory).returncode == 0
    assert (directory / "objects.yaml").read_bytes() == before
    if command_line[0] == "render":
        assert "registry/a:1" in (directory / "cartographer/dock/workload-parcel/second.yaml").read_text()
        assert command("render", "--diff", "--ytt", program, directory).returncode == 0


def test_the_pipe_of_a_host_reads_the_variable(package):
    program, _ = package
    items = [one.replace("\n", "\n  ") for one in OBJECTS.replace("PATH", ".data.image").split("---\n")]
    listed = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n  " + CONFIG.replace("\n", "\n  ")
    listed = listed.rstrip() + "\nitems:\n" + "".join(f"- {one.rstrip()}\n" for one in items)
    done = command(program="krm-cartographer-params", stdin=listed, KRM_VALUES_YTT=str(program))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("name: built") == 3  # in its template, as an object, and in ResolvedParams
    assert "needs a ytt program" in command(program="krm-cartographer-params", stdin=listed).stderr


def test_a_container_sees_no_variable_but_the_option_counts(package):
    program, directory = package
    (directory / "Kptfile").write_text(kptfile("image: cartographer-params, configPath: c.yaml"))
    refused = command("render", directory, KRM_VALUES_YTT=str(program))
    assert refused.returncode == 1
    assert "needs a ytt program" in refused.stderr
    assert command("render", directory, "--ytt", program).returncode == 0


def test_a_program_that_is_named_without_being_wanted_is_not_run(package):
    program, directory = package
    program.write_text("#!/bin/sh\nexit 7\n")
    without = CONFIG.replace("  ytt: true", "  ytt: false")
    (directory / "c.yaml").write_text(without)
    done = command("run", "cartographer-params", "--config", directory / "c.yaml", "--ytt", program, directory / "objects.yaml")
    assert done.returncode == 0
    assert "is not rendered" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "tekton-params", "--ytt", "ytt", "x.yaml"], "`--ytt` is not for `tekton-params`"),
        (["explain", "tekton-params", "--ytt", "ytt", "x.yaml"], "`--ytt` is not for `tekton-params`"),
        (["run", "cartographer-params", "--ytt", "/no/such", "objects.yaml"], 'the ytt program "/no/such" does not exist'),
    ],
)
def test_a_wrong_option_is_a_mistake_of_the_command_line(package, arguments, said):
    done = command(*arguments, cwd=package[1])
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_refused_body_fails_its_step_with_the_words_of_the_program(package):
    program, directory = package
    program.write_text("#!/bin/sh\necho 'ytt: Error: line 3: no' >&2; exit 1\n")
    done = command("run", "cartographer-params", "--config", directory / "c.yaml", "--ytt", program, directory / "objects.yaml")
    assert done.returncode == 1
    assert "is refused by ytt: line 3: no" in done.stderr
    assert "`spec.ytt`" in done.stderr


def test_a_plain_comment_is_named_with_the_way_out(package):
    program, directory = package
    program.write_text("#!/bin/sh\necho \"ytt: Error: Non-ytt comment at line stdin.yml:2: '# a note'\" >&2; exit 1\n")
    done = command("run", "cartographer-params", "--config", directory / "c.yaml", "--ytt", program, directory / "objects.yaml")
    assert done.returncode == 1
    assert "'# a note'; write `#!` for a comment, and `#@` for code" in done.stderr


def test_a_failure_while_an_input_has_not_arrived_waits_for_that_input(package):
    program, directory = package
    (directory / "objects.yaml").write_text(OBJECTS.replace("PATH", ".status.image"))
    run = ["run", "cartographer-params", "--config", directory / "c.yaml", "--ytt", program, directory / "objects.yaml"]
    done = command(*run)
    assert (done.returncode, done.stderr) == (0, "")
    steps = done.stdout.partition("kind: ResolvedParams")[2]
    assert "state: waiting" in steps
    assert "- images.base" in steps
    assert done.stdout.count("name: built") == 1


def test_outputs_that_are_not_known_are_left_out_and_a_deployment_is_null():
    context = {
        "sources": {"a": {"url": "u"}, "b": UNKNOWN},
        "source": UNKNOWN,
        "images": {},
        "deployment": UNKNOWN,
        "labels": {},
    }
    found, missing = rendering.without_unknown(context)
    assert found == {"sources": {"a": {"url": "u"}}, "images": {}, "deployment": None, "labels": {}}
    assert missing == ["sources.b", "deployment"]


def test_owners_are_handed_over_as_json_without_what_is_unset():
    workload = owner.typed(
        {"apiVersion": "carto.run/v1alpha1", "kind": "Workload", "metadata": {"name": "p"}, "spec": {"env": []}}
    )
    seen = {}

    def render(body, values):
        seen.update(values)
        return f"body: {body}\n"

    assert rendering.run_ytt("b", {"workload": workload, "params": {"n": 5.0, "s": "<&>"}}, render) == {"body": "b"}
    assert json.loads(seen["workload"])["spec"] == {"build": {}}
    assert seen["params"] == '{"n":5,"s":"\\u003c\\u0026\\u003e"}'


@pytest.mark.parametrize(
    ("output", "fact"),
    [("", "renders nothing"), ("- a\n", "is not an object"), ("a: [", "not YAML"), ("--- \n---\na: 1\n", "renders nothing")],
)
def test_what_is_no_object_is_refused(output, fact):
    with pytest.raises(rendering.YttError, match=fact):
        rendering.run_ytt("", {}, lambda *_: output)
