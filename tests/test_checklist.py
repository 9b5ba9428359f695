"""How a function treats invalid or unusual input: the protocol and the configuration, as the user sees them.

In the names of tests A is the protocol and C the configuration.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from krm_values._krm import resourcelist
from krm_values._krm.names import kind
from krm_values._run import registry
from krm_values._yaml import decode, emit
from tests.commands import called

FIXTURES = Path(__file__).parent / "fixtures" / "krm"
LISTED = sorted(FIXTURES.rglob("*.in.yaml"))
FUNCTION = str(Path(sys.executable).parent / "krm-tekton-params")
COMMAND = str(Path(sys.executable).parent / "krm-values")
HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
ITEM = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a # kept\n"
LIST = HEAD + "items:\n" + ITEM
CONFIG = "functionConfig:\n  apiVersion: krm-values.dev/v1alpha1\n  kind: TektonParams\n  metadata:\n    name: c\n"
TYPO = (
    HEAD
    + """items:
- apiVersion: tekton.dev/v1
  kind: PipelineRun
  metadata:
    name: build
  spec:
    params:
    - name: colour
      value: red
    pipelineSpec:
      tasks:
      - name: t
        taskSpec:
          steps:
          - name: s
            image: busybox
            script: echo $(params.color)
"""
)


def call(text, *command):
    data = text if isinstance(text, bytes) else text.encode()
    if command:
        return subprocess.run(command, input=data, capture_output=True, check=False)
    done = called("krm-tekton-params", stdin=data)
    return subprocess.CompletedProcess([], done.code, done.stdout, done.stderr)


def texts(data):
    found = resourcelist.read(data)
    return [found.text(number) for number in range(len(found.items))]


def fields(data):
    found = decode.to_data(decode.parse(data.decode()))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("config", ["", CONFIG], ids=["no config", "TektonParams"])
@pytest.mark.parametrize("file", LISTED, ids=lambda file: file.name)
def test_a1_a_config_that_changes_nothing_gives_the_items_byte_for_byte(file, config):
    data = file.read_bytes()
    given = without_config(data)
    done = call(given + config.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert texts(done.stdout) == texts(data)
    assert done.stdout == given + config.encode()


def without_config(data):
    """Return the list without its functionConfig, which the fixtures have last."""
    head, key, _ = data.partition(b"\nfunctionConfig:")
    return head + b"\n" if key else data


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("crlf", LIST.replace("\n", "\r\n").encode()),
        ("BOM", b"\xef\xbb\xbf" + LIST.encode()),
        ("v1beta1", LIST.replace("/v1\n", "/v1beta1\n", 1).encode()),
        ("more keys", (LIST + "extra: {any: thing}\n").encode()),
        ("json", json.dumps(decode.to_data(decode.parse(LIST))).encode()),
        ("json, indented", json.dumps(decode.to_data(decode.parse(LIST)), indent=2).encode()),
        ("functionConfig first", (HEAD + CONFIG + "items:\n" + ITEM).encode()),
        ("wide", (HEAD + "items:\n" + "".join(f"  {line}\n" for line in ITEM.splitlines())).encode()),
        ("a comment between", (LIST + "# between\n" + ITEM.replace("name: a", "name: b")).encode()),
    ],
)
def test_a2_every_form_of_a_list_is_accepted_and_comes_back(name, data):
    done = call(data)
    assert (done.returncode, done.stderr) == (0, b"")
    assert texts(done.stdout) == texts(data)
    assert done.stdout.removeprefix(b"\xef\xbb\xbf") == data.removeprefix(b"\xef\xbb\xbf")


PLAIN = "plain resources are read by krm-values run FUNCTION -, and from files by krm-values run FUNCTION FILE"
A3 = [
    (
        "",
        "stdin:1:1: must be a ResourceList, found nothing: pipe one in, for example `kpt fn source DIR |`, or name a directory, as `.`",
    ),
    ("- a\n", "stdin:1:1: must be a ResourceList, found array"),
    ("hello\n", "stdin:1:1: must be a ResourceList, found string"),
    (
        "apiVersion: v1\nkind: ConfigMap\n",
        'stdin:2:7: `kind` must be `ResourceList`, found string "ConfigMap"; ' + PLAIN,
    ),
    (
        LIST.replace("/v1\n", "/v9\n", 1),
        'stdin:1:13: `apiVersion` must be `config.kubernetes.io/v1`, found string "config.kubernetes.io/v9"',
    ),
    (LIST.encode() + b"  data: \xff\n", "stdin:8:9: must be UTF-8, found the byte 0xff"),
    ("apiVersion: [\n", "stdin:1:13: is not YAML: did not find expected node content"),
    (HEAD + "\titems: []\n", "stdin:3:1: must be indented by spaces, found a tab"),
    (LIST + "kind: ResourceList\n", "stdin:8:1: must not repeat the key `kind`"),
    (LIST + "---\n" + LIST, "stdin:8:1: must be one ResourceList, found another document; " + PLAIN),
]


@pytest.mark.parametrize(("text", "message"), A3)
def test_a3_what_cannot_be_read_is_one_line_with_its_place(text, message):
    done = call(text)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == f"error: {message}\n"


def test_a3_an_item_that_nobody_reads_passes_as_it_came():
    data = (LIST + "  data: {a: 1, a: 2}\n").encode()
    assert call(data).stdout == data


def test_a4_killed_before_it_is_done_it_has_written_nothing():
    process = subprocess.Popen([FUNCTION], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin
    process.stdin.write(LIST.encode())
    process.stdin.flush()
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate()
    assert (out, process.returncode) == (b"", -signal.SIGTERM)


def test_a5_a6_a_failure_is_the_whole_list_with_results_and_exit_1():
    done = call(TYPO)
    assert done.returncode == 1
    assert done.stdout.startswith(TYPO.encode() + b"results:\n")
    assert texts(done.stdout) == texts(TYPO.encode())
    assert [result["severity"] for result in fields(done.stdout)["results"]] == ["error"]


def test_a6_a_fault_of_ours_is_exit_3_and_one_line(tmp_path):
    broken = tmp_path / "krm_values_broken.py"
    broken.write_text(
        "import sys\nfrom krm_values._krm import resourcelist\nresourcelist.read = None\nfrom krm_values._cli.main import main\nsys.exit(main())\n"
    )
    done = call(LIST, sys.executable, str(broken), "run", "tekton-params")
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"please report it" in done.stderr
    asked = call(LIST, sys.executable, str(broken), "run", "tekton-params", "--debug")
    assert (asked.returncode, asked.stdout) == (3, b"")
    assert b"Traceback" in asked.stderr


def test_a7_no_items_in_no_items_out():
    data = (HEAD + "items: []\n").encode()
    done = call(data)
    assert (done.returncode, done.stdout) == (0, data)


def test_a8_a_closed_stdout_is_no_traceback(tmp_path):
    big = tmp_path / "big.yaml"
    big.write_text(HEAD + "items:\n" + ITEM * 20_000)
    done = subprocess.run(["bash", "-c", f"{FUNCTION} < {big} | head -n 1"], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("apiVersion: config.kubernetes.io/v1\n", "")


SPEC = CONFIG + "  spec:\n    "
KINDS = "`apiVersion: krm-values.dev/v1alpha1`, `kind: TektonParams`, or a ConfigMap"
C1 = [
    (
        SPEC + "mdoe: propagate\n",
        "stdin:14:5: functionConfig `spec.mdoe`: must be one of `mode`, `references`, `referenceDefaults`, `strict`, `record`, `check`; did you mean `mode`?",
    ),
    (
        SPEC + "mode: propagte\n",
        'stdin:14:5: functionConfig `spec.mode`: must be one of `implicit`, `propagate`; found string "propagte"; did you mean `propagate`?',
    ),
    (SPEC + "strict: yes\n", 'stdin:14:5: functionConfig `spec.strict`: must be true or false; found string "yes"'),
    (CONFIG + "  mode: propagate\n", "stdin:13:3: functionConfig `mode`: must be below `spec`: `spec.mode`"),
    (
        CONFIG + "  sepc: {}\n",
        "stdin:13:3: functionConfig `sepc`: must be one of `apiVersion`, `kind`, `metadata`, `spec`; did you mean `spec`?",
    ),
    (SPEC + "referenceDefaults: true\n", "stdin:13:3: functionConfig `spec`: `referenceDefaults` needs `references: true`"),
]
C2 = [
    (
        CONFIG.replace("TektonParams", "TektonParms"),
        f'stdin:10:3: functionConfig `kind`: must be {KINDS}; found string "krm-values.dev/v1alpha1" and string "TektonParms"; did you mean `TektonParams`?',
    ),
    (
        CONFIG.replace("v1alpha1", "v1"),
        f'stdin:10:3: functionConfig `kind`: must be {KINDS}; found string "krm-values.dev/v1" and string "TektonParams"',
    ),
]


@pytest.mark.parametrize(("config", "message"), C1 + C2)
def test_c1_c2_a_wrong_config_names_field_and_way_out(config, message):
    data = (LIST + config).encode()
    done = call(data)
    assert (done.returncode, done.stderr.decode()) == (1, f"error: {message}\n")
    assert texts(done.stdout) == texts(data)
    assert [result["message"] for result in fields(done.stdout)["results"]] == [message]


def test_c1_every_mistake_comes_at_once():
    done = call(LIST + SPEC + "mdoe: x\n    strict: 1\n")
    assert done.stderr.count(b": functionConfig `spec.") == 2


def test_c1_metadata_is_free():
    done = call(LIST + CONFIG + "    anything: {goes: here}\n")
    assert (done.returncode, done.stderr) == (0, b"")


ANY = "layered-values"  # the function that takes a ConfigMap
KNOWN = ", ".join(f"`{kind(name)}`" for name in registry.functions())
C2_RUN = [
    (
        "",
        (
            f"stdin:1:1: no functionConfig and no function named; name the function, as in `krm-values run {ANY}`, or give its functionConfig "
            f"(`kind: {kind(ANY)}`); functions for these resources: {ANY}"
        ),
    ),
    (
        CONFIG.replace("TektonParams", "TektonParms"),
        f'stdin:10:3: functionConfig `kind`: must be one of {KNOWN} of `krm-values.dev/v1alpha1`; found string "TektonParms"; did you mean `TektonParams`, the functionConfig of `tekton-params`?',
    ),
    (
        "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: x}\n  data: {mode: implicit}\n",
        (
            f"stdin:10:3: functionConfig `kind`: must be one of {KNOWN} of `krm-values.dev/v1alpha1`; a ConfigMap names one with the key "
            "`function`, a call with `krm-values run FUNCTION` or KRM_FUNCTION"
        ),
    ),
]


@pytest.mark.parametrize(("config", "message"), C2_RUN)
def test_c2_a_call_that_names_no_function_says_how_to(config, message, monkeypatch):
    monkeypatch.delenv("KRM_FUNCTION", raising=False)
    done = call(LIST + config, COMMAND, "run")
    assert (done.returncode, done.stderr.decode()) == (1, f"error: {message}\n")
    assert texts(done.stdout) == texts((LIST + config).encode())


def test_c2_an_empty_config_counts_as_missing_and_defaults_hold():
    for config in (
        "functionConfig: {}\n",
        "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: function-input}\n  data: {}\n",
    ):
        done = call(LIST + config)
        assert (done.returncode, done.stderr) == (0, b"")


RUN = TYPO.replace("$(params.color)", "$(params.colour)")


def config_map(data):
    return f"functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: function-input}}\n  data: {data}\n"


def test_c3_a_config_map_says_the_same_in_any_order_of_its_keys():
    one, other = (
        call(RUN + config_map(data)) for data in ('{mode: propagate, strict: "false"}', "{strict: false, mode: propagate}")
    )
    own = call(RUN + SPEC + "mode: propagate\n")
    assert one.returncode == 0
    assert texts(one.stdout) == texts(other.stdout) == texts(own.stdout)


def test_c3_unquoted_words_are_texts():
    done = call(RUN + config_map("{mode: yes, on: on}"))
    messages = [result["message"] for result in fields(done.stdout)["results"]]
    assert messages == [
        'stdin:24:10: functionConfig `data.mode`: must be one of `implicit`, `propagate`; found string "yes"',
        "stdin:24:21: functionConfig `data.on`: must be one of `mode`, `references`, `referenceDefaults`, `strict`, `record`, `check`",
    ]


def test_c4_the_config_may_be_an_item_too_and_is_never_changed():
    item = "- apiVersion: krm-values.dev/v1alpha1\n  kind: TektonParams\n  metadata:\n    name: c # mine\n  spec: {mode: propagate}\n"
    given = RUN + item + CONFIG + "  spec: {mode: propagate}\n"
    done = call(given)
    assert done.returncode == 0
    assert texts(done.stdout)[1] == texts(given.encode())[1]
    assert done.stdout.decode().endswith(CONFIG + "  spec: {mode: propagate}\n")


def test_c6_a_param_that_nobody_defines_is_an_error_that_names_it():
    done = call(TYPO + SPEC + "mode: propagate\n")
    assert "color" in done.stderr.decode()
    (error,) = [result for result in fields(done.stdout)["results"] if result["severity"] == "error"]
    assert error["tags"]["param"] == "color"


def test_results_read_back_as_they_were_written():
    result = fields(call(TYPO).stdout)["results"][0]
    assert decode.to_data(decode.parse("\n".join(emit.block(result)) + "\n")) == result


def test_environment_does_not_change_results():
    for extra in ({"LC_ALL": "C"}, {"TZ": "Asia/Kathmandu"}, {"PYTHONHASHSEED": "7"}, {"HOME": "/nonexistent"}):
        done = subprocess.run([FUNCTION], input=RUN.encode(), capture_output=True, env={**os.environ, **extra}, check=True)
        assert done.stdout == call(RUN).stdout
