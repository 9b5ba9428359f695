"""The small commands, run as users run them: real processes, real exit codes."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.cli.packages import SOURCE, START, STEP, command, kptfile, run, write

from krm_values._cli.arguments.completion import SHELLS
from krm_values._run import registry


def on_a_terminal(
    *arguments: str, program: str = START, cwd: Path | None = None, typed: bool = False, **environment: str
) -> str:
    """What the command, or another program, prints on a terminal. typed: stdin is the terminal, too."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", program, "krm-values", *arguments],
        env={**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "xterm-256color", **environment},
        cwd=cwd,
        stdin=theirs if typed else subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        text = b""
        while chunk := _read(ours):
            text += chunk
        process.wait(timeout=120)
    os.close(ours)
    return text.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux: the other end is closed
        return b""


@pytest.mark.parametrize("words", [["explain"], ["values"], ["explain", "--path", "replicas"]], ids=" ".join)
def test_without_a_word_on_a_terminal_it_is_the_package_in_this_directory(words):
    package = Path(__file__).parents[2] / "examples/layered-values/eight-lines"
    told = on_a_terminal(*words, cwd=package, typed=True, NO_COLOR="1")
    assert ("replicas: 3" if words == ["values"] else "replicas = 3") in told
    assert "must be a ResourceList, found nothing" in on_a_terminal(*words, cwd=package), "stdin is no terminal"


@pytest.mark.parametrize(
    "arguments", [[], *([name] for name in ["run", "explain", "render", "list", "schema", "docs", "kustomize", "completion"])]
)
def test_every_command_has_help_and_version(arguments):
    shown = command(*arguments, "--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith(f"usage: {' '.join(['krm-values', *arguments])} ")
    version = command(*arguments, "--version")
    assert (version.returncode, version.stderr) == (0, "")
    assert version.stdout.startswith("krm-values ")


def test_help_says_exit_codes_and_environment():
    text = command("--help").stdout
    for part in ("  0  ", "  1  ", "  2  ", "  3  ", "KRM_FUNCTION", "NO_COLOR", "XDG_CONFIG_HOME"):
        assert part in text


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (
            ["rnder"],
            "argument COMMAND: must be one of run, explain, values, why, impact, compare, render, check, inputs, clean, revert, fleet, list, ",
        ),
        (["rnder"], 'found string "rnder"; did you mean `render`?'),
        (["completion", "bsh"], 'found string "bsh"; did you mean `bash`?'),
        (["render", "--dif"], "unrecognized arguments: --dif; did you mean `--diff`?"),
        (["run", "tekton-params", "--confg", "c.yaml"], "unrecognized arguments: --confg c.yaml; did you mean `--config`?"),
        (["help", "rnder"], "did you mean `render`?"),
        (["explain", "-o", "jsn"], "did you mean `json`?"),
        (["schema", "tekton-parms"], 'error: no schema is called "tekton-parms"; did you mean "tekton-params"?\n'),
        (["docs", "../tekton"], 'error: "../tekton" is a path, where a function must be named: '),
        (["schema", "config.yaml"], 'error: "config.yaml" is a path, where a function must be named: '),
        (["lint", "./x", "y"], 'error: "./x" is a path, where a function must be named: '),
        (["lint", "tekton-parms", "y"], 'did you mean "tekton-params"?'),
        (["run", "tekton-parms", "a.yaml"], 'error: no function is called "tekton-parms"; did you mean "tekton-params"?\n'),
        (["render", "--diff", "-o", "x"], "argument -o/--output: not allowed with argument --diff"),
        (["explain", "--json", "--patch"], "argument --patch: not allowed with argument --json"),
        (
            ["explain", "--json=v1alpha1"],
            'argument --json: takes no value; found string "v1alpha1" (--json: the same as -o json)',
        ),
        (["run", "-qx"], 'argument --quiet: takes no value; found string "x" (--quiet: '),
    ],
)
def test_a_wrong_command_line_exits_2_and_says_what_is_wrong(arguments, error):
    found = command(*arguments)
    assert (found.returncode, found.stdout) == (2, "")
    assert error in found.stderr


@pytest.mark.parametrize("words", [["run", "Web"], ["explain", "Web"]], ids=" ".join)
def test_a_word_that_is_near_to_a_directory_names_it(tmp_path, words):
    (tmp_path / "web").mkdir()
    done = command(*words, cwd=tmp_path)
    assert done.stderr == 'error: no function, file or directory is called "Web"; did you mean "web"?\n'
    assert done.returncode == 2


def test_list_says_what_each_function_does():
    lines = command("list").stdout.splitlines()
    assert any(line.startswith("tekton-params  ") and len(line) > 20 for line in lines)


def test_schema_is_the_schema_of_the_whole_function_config():
    found = json.loads(command("schema", "tekton-params").stdout)
    assert found["properties"]["apiVersion"] == {"const": "krm-values.dev/v1alpha1"}
    assert found["properties"]["kind"] == {"const": "TektonParams"}
    fields = {"mode", "references", "referenceDefaults", "strict", "record", "check"}
    assert set(found["properties"]["spec"]["properties"]) == fields
    assert found["properties"]["spec"]["additionalProperties"] is False


def test_docs_prints_the_manual_page_as_it_is():
    page = (SOURCE / "krm_values/tekton_params/README.md").read_text("utf-8")
    assert command("docs", "tekton-params").stdout == page
    assert page in command("--help", program="krm-tekton-params").stdout
    assert page in command("run", "tekton-params", "--help").stdout
    for arguments in (["--help"], ["run", "--help"]):  # of an image that is for one function, and of its default command
        assert page in command(*arguments, KRM_FUNCTION="tekton-params").stdout
    assert page not in command("--help").stdout


def test_docs_is_laid_out_on_a_terminal_in_colours_if_not_refused():
    coloured, plain = on_a_terminal("docs", "tekton-params"), on_a_terminal("docs", "tekton-params", NO_COLOR="1")
    assert "\x1b[" in coloured
    assert "\x1b[3" not in plain
    assert "```" not in coloured


def test_a_table_fits_a_terminal_and_has_no_colours_where_they_are_refused(tmp_path):
    write(tmp_path, {"run.yaml": run()})
    shown = on_a_terminal("explain", "tekton-params", str(tmp_path), COLUMNS="70")
    assert "\x1b[1m" in shown
    assert max(map(len, re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines())) <= 70
    assert "\x1b[3" not in on_a_terminal("explain", "tekton-params", str(tmp_path), NO_COLOR="1")


def test_a_diff_has_colours_on_a_terminal_only(tmp_path):
    package = write(tmp_path, {"Kptfile": kptfile(STEP), "run.yaml": run()})
    assert "\x1b[32m+" in on_a_terminal("render", str(package), "--diff")
    plain = on_a_terminal("render", str(package), "--diff", NO_COLOR="1")  # on a slow machine with a bar, which is no colour
    assert not re.search(r"\x1b\[[0-9;]*m", plain)
    assert "\x1b" not in command("render", package, "--diff").stdout


def test_a_bar_shows_on_a_terminal_while_long_work_runs():
    work = "from krm_values._run import terminal\nterminal._LONG = {}\nwith terminal.progress('reading', 2) as advance:\n    advance(), advance()\n"
    until_shown = "    while not terminal._Manner.line._is_shown: __import__('time').sleep(0.01)\n"
    assert "reading" in on_a_terminal(program=work.format(0) + until_shown)
    assert on_a_terminal(program=work.format(3600)) == ""
    piped = subprocess.run(
        [sys.executable, "-c", work.format(0)], env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, check=True
    )
    assert piped.stderr == b""


@pytest.mark.parametrize("words", [["run"], ["run", "-"], ["explain"], ["values"], ["clean", "-"]], ids=" ".join)
def test_a_command_says_on_a_terminal_what_it_waits_for(words):
    """Of a pipe that sends nothing for a while; a program that reads stderr is told nothing."""
    ours, theirs = pty.openpty()
    reading, writing = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", START, "krm-values", *words],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdin=reading,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        os.close(reading)
        line = _read(ours).decode()
        os.close(writing)
        process.wait(timeout=60)
    os.close(ours)
    assert line.startswith("krm-values: waiting for resources on stdin; Ctrl-D ends them")


def test_a_bare_call_and_help_print_the_table_of_commands():
    bare = command()
    assert (bare.returncode, bare.stderr) == (0, "")
    assert bare.stdout == command("help").stdout == command("--help").stdout
    assert re.search(r"^  why FILE:LINE\.\.\. \[DIR\] +say where a line comes from$", bare.stdout, re.MULTILINE)
    assert re.search(r"^  envgene TASK +work on an EnvGene repository$", bare.stdout, re.MULTILINE)
    assert max(map(len, bare.stdout.splitlines())) < 80


def test_help_prints_the_help_of_a_command():
    assert command("help", "render").stdout == command("render", "--help").stdout
    assert command("help", "envgene", "process").stdout == command("envgene", "process", "--help").stdout


def test_version_has_a_letter():
    assert command("-V").stdout == command("--version").stdout == command("why", "-V").stdout


def test_list_prints_data():
    for words, read in ((["-o", "json"], json.loads), (["--json"], json.loads), (["-o", "yaml"], yaml.safe_load)):
        functions = read(command("list", *words).stdout)["functions"]
        assert [one["name"] for one in functions] == [*registry.functions()]
        assert functions[0]["kind"] == "CartographerParams"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_completion_script_asks_for_candidates(shell):
    script = command("completion", shell)
    assert (script.returncode, script.stderr) == (0, "")
    assert "krm-values __complete" in script.stdout


def scripts(folder):
    """The commands of every function, as pip would install them there."""
    folder.mkdir(exist_ok=True)
    for name in registry.functions():
        script = folder / f"krm-{name}"
        script.write_text("#!/bin/sh\necho called with $1\n")
        script.chmod(0o755)


def test_install_plugins_writes_small_files_that_call_the_function(tmp_path):
    scripts(tmp_path / "bin")
    program = str(tmp_path / "bin/krm-values")
    plugin = tmp_path / "config/kustomize/plugin/krm-values.dev/v1alpha1/tektonparams/TektonParams"
    for _ in range(2):  # again is fine
        found = command("kustomize", "install-plugins", program=program, XDG_CONFIG_HOME=str(tmp_path / "config"))
        assert (found.returncode, found.stderr) == (0, "")
        assert str(plugin) in found.stdout.splitlines()
    assert subprocess.run([plugin, "config"], capture_output=True, text=True, check=True).stdout == "called with config\n"
    assert sorted(path.name for path in plugin.parent.iterdir()) == ["TektonParams"]


def test_install_plugins_goes_where_kustomize_looks(tmp_path):
    scripts(tmp_path)
    program, below = str(tmp_path / "krm-values"), "krm-values.dev/v1alpha1/tektonparams/TektonParams"
    command("kustomize", "install-plugins", program=program, KUSTOMIZE_PLUGIN_HOME=str(tmp_path / "own"))
    command("kustomize", "install-plugins", program=program, HOME=str(tmp_path / "home"), XDG_CONFIG_HOME="")
    assert (tmp_path / "own" / below).exists()
    assert (tmp_path / "home/.config/kustomize/plugin" / below).exists()


def test_install_plugins_leaves_somebody_elses_file_alone(tmp_path):
    scripts(tmp_path)
    plugin = tmp_path / "krm-values.dev/v1alpha1/tektonparams/TektonParams"
    plugin.parent.mkdir(parents=True)
    plugin.write_text("mine")
    found = command("kustomize", "install-plugins", program=str(tmp_path / "krm-values"), KUSTOMIZE_PLUGIN_HOME=str(tmp_path))
    assert (found.returncode, plugin.read_text()) == (1, "mine")
    assert found.stderr == f"error: {plugin}: is not written by krm-values: move it away first\n"


@pytest.mark.parametrize("place", [".TektonParams.new", "TektonParams"])
def test_install_plugins_writes_through_no_link(place, tmp_path):
    scripts(tmp_path)
    folder = tmp_path / "krm-values.dev/v1alpha1/tektonparams"
    folder.mkdir(parents=True)
    victim = tmp_path / "bashrc"
    victim.write_text("# written by krm-values, says the planted file\n")
    victim.chmod(0o600)
    (folder / place).symlink_to(victim)
    before = victim.read_text(), victim.stat().st_mode
    found = command("kustomize", "install-plugins", program=str(tmp_path / "krm-values"), KUSTOMIZE_PLUGIN_HOME=str(tmp_path))
    assert (victim.read_text(), victim.stat().st_mode) == before
    if place == "TektonParams":
        assert (found.returncode, (folder / place).is_symlink()) == (1, True)
    else:
        assert found.returncode == 0
        assert (folder / "TektonParams").stat().st_mode & 0o100
        assert not (folder / "TektonParams").is_symlink()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=lambda make: make.__name__)
def test_install_plugins_does_not_wait_for_what_is_no_file(make, tmp_path):
    scripts(tmp_path)
    plugin = tmp_path / "krm-values.dev/v1alpha1/tektonparams/TektonParams"
    plugin.parent.mkdir(parents=True)
    make(plugin)
    found = command("kustomize", "install-plugins", program=str(tmp_path / "krm-values"), KUSTOMIZE_PLUGIN_HOME=str(tmp_path))
    assert (found.returncode, found.stderr) == (1, f"error: {plugin}: is not written by krm-values: move it away first\n")


def test_uninstall_plugins_removes_what_install_plugins_wrote_and_nothing_else(tmp_path):
    scripts(tmp_path / "bin")
    (tmp_path / "home").mkdir()
    home, program = {"KUSTOMIZE_PLUGIN_HOME": str(tmp_path / "home")}, str(tmp_path / "bin/krm-values")
    written = command("kustomize", "install-plugins", program=program, **home).stdout
    found = command("kustomize", "uninstall-plugins", program=program, **home)
    assert (found.returncode, found.stdout, found.stderr) == (0, written, "")
    assert [*(tmp_path / "home").iterdir()] == []
    command("kustomize", "install-plugins", program=program, **home)
    folder = tmp_path / "home/krm-values.dev/v1alpha1"
    (folder / "tektonparams/TektonParams").write_text("mine")
    (folder / "fluxvalues/mine").write_text("mine")
    assert command("kustomize", "uninstall-plugins", program=program, **home).returncode == 0
    kept = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert kept == ["fluxvalues/mine", "tektonparams/TektonParams"]


def test_install_plugins_without_the_commands_says_so(tmp_path):
    found = command("kustomize", "install-plugins", program=str(tmp_path / "krm-values"), PATH=str(tmp_path))
    assert found.returncode == 2
    assert (
        found.stderr
        == f"error: the command `krm-{registry.functions()[0]}` is not installed: install krm-values with pip first\n"
    )


@pytest.mark.parametrize("arguments", [["--help"], ["completion", "bash"], ["docs", "tekton-params"], ["list"]])
def test_a_closed_pipe_is_no_traceback(arguments):
    text = f"{sys.executable} -c '{START}' krm-values {' '.join(arguments)} | true; exit ${{PIPESTATUS[0]}}"
    found = subprocess.run(
        ["bash", "-c", text], env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, check=False
    )
    assert found.stderr == ""
