"""The limits that a ytt program is run under: real small programs stand where ytt would."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from krm_values._data.errors import UsageError
from krm_values.cartographer_params import tools
from krm_values.cartographer_params.rendering import YttError


@pytest.fixture
def program(tmp_path):
    """Makes a program of a shell script's lines, and what renders with it."""

    def make(script: str):
        path = tmp_path / "ytt"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return tools.make({"ytt": str(path)})

    return make


def ends(file: Path) -> bool:
    """Whether the process that a file names is soon gone, or dead and not yet waited for."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{file.read_text().strip()}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


def test_the_program_gets_the_body_and_one_data_value_for_each_key(program):
    echo = program('for word; do echo "[$word]"; done; cat')
    assert echo("b: 1\n", {"params": '{"x":"it\'s $(id)"}', "image": '"a b"'}) == (
        '[-f]\n[-]\n[--data-value-yaml]\n[image="a b"]\n[--data-value-yaml]\n[params={"x":"it\'s $(id)"}]\nb: 1\n'
    )


def test_it_runs_with_an_empty_environment_in_a_temporary_directory(program, monkeypatch):
    monkeypatch.setenv("SECRET", "x")
    said = program("/usr/bin/env; echo here $(pwd -P) $(ls -A | wc -l)")("", {})
    assert "SECRET" not in said
    assert "HOME" not in said
    _, directory, entries = said.split("here ")[1].join(("here ", "")).split()
    assert entries == "0"
    assert not Path(directory).exists()


def test_a_refusal_is_said_in_one_line(program):
    with pytest.raises(YttError, match=r"^is refused by ytt: a b 1:2 c$"):
        program("printf 'ytt: Error: a\\n  b 1:2\\n\\nc\\n' >&2; exit 1")("", {})


def test_a_refusal_without_words_names_the_exit_code(program):
    with pytest.raises(YttError, match="exit code 3"):
        program("exit 3")("", {})


def test_what_it_started_is_killed_with_it_after_four_seconds(program, tmp_path):
    sleeper = program(f"sleep 600 & echo $! > {tmp_path}/child; echo $$ > {tmp_path}/own; sleep 600")
    with pytest.raises(YttError, match="within 4 seconds"):
        sleeper("", {})
    assert all(ends(tmp_path / name) for name in ("child", "own"))


def test_what_it_leaves_running_is_killed_when_it_ends(program, tmp_path):
    left = program(f"sleep 600 >&- 2>&- <&- & echo $! > {tmp_path}/child; echo done")
    assert left("", {}) == "done\n"
    assert ends(tmp_path / "child")


@pytest.mark.parametrize("stream", ["1", "2"])
def test_more_than_a_mebibyte_is_refused_long_before_the_time_is_over(program, stream):
    with pytest.raises(YttError, match="more than 1048576 bytes"):
        program(f"while :; do echo 0123456789012345678901234567890123456789; done >&{stream}")("", {})


def test_a_mebibyte_is_taken_and_a_long_body_is_handed_over_whole(program):
    body = "x" * (1 << 20)
    assert program("cat")(body, {}) == body


def test_a_program_need_not_read_what_it_is_given(program):
    assert program("echo a: 1")("x" * (1 << 20), {}) == "a: 1\n"


def test_an_argument_is_refused_by_name_only_above_128_kibibytes(program):
    with pytest.raises(YttError, match="`params` is 131073 bytes"):
        program("echo")("", {"params": '"' + "x" * (131073 - 9) + '"'})
    assert program("echo ok")("", {"params": '"' + "x" * 100_000 + '"'}) == "ok\n"


def test_arguments_that_the_system_refuses_are_an_error_of_the_step(program):
    with pytest.raises(YttError, match="does not start"):
        program("echo")("", {f"k{number}": "x" * 120_000 for number in range(100)})


def test_what_is_no_program_cannot_be_rendered_with(tmp_path):
    (tmp_path / "ytt").write_text("not a program")
    (tmp_path / "ytt").chmod(0o755)
    with pytest.raises(YttError, match="does not start"):
        tools.make({"ytt": str(tmp_path / "ytt")})("", {})


@pytest.mark.parametrize("name", ["", "no-such-program", "/no/such/program", "/"])
def test_a_program_that_is_not_there_is_a_mistake_of_the_command_line(name):
    with pytest.raises(UsageError, match="does not exist"):
        tools.make({"ytt": name})


def test_a_name_is_found_on_the_path_and_a_relative_path_from_here(program, tmp_path, monkeypatch):
    program("echo found")
    monkeypatch.chdir(tmp_path)
    assert tools.make({"ytt": "./ytt"})("", {}) == "found\n"
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert tools.make({"ytt": "ytt"})("", {}) == "found\n"
