"""What a person sees at 80 columns: help, findings, progress, totals, colours, and what Ctrl-C leaves behind."""

from __future__ import annotations

import fcntl
import os
import re
import shutil

import pytest

from krm_values._cli.arguments import table
from tests.cli.packages import snapshot
from tests.terminal.screen import PROMPT, Screen

ESCAPE = "\x1b["


@pytest.mark.parametrize("words", ["", "help", *(f"help {name}" for name in ("render", "explain", "impact", "check"))])
def test_help_fits(screen, words):
    shown = screen.run(f"krm-values {words}")
    assert "usage: krm-values " in shown
    assert shown.endswith(f"code=0\n{PROMPT}")
    assert re.search(r"(?m)^  3  a defect of krm-values$", shown), "no line is broken by the terminal"
    assert all(len(line) < 80 for line in shown.splitlines())


def test_every_command_is_on_the_first_screen(screen):
    shown = screen.run("krm-values | head -40")
    assert [name for name in table.COMMANDS if not re.search(rf"(?m)^  {name}\b", shown)] == []


def broken(package):
    layers = package / "layers.yaml"
    layers.write_text(
        layers.read_text()
        .replace("memory: memory", "memory: memry")
        .replace("spec.replicas: replicas", "spec.replicas: replcas")
    )


def test_findings_are_counted_in_the_end_and_name_files_from_here(package, scratch):
    broken(package)
    with Screen(package.parent, scratch) as screen:
        for words in ("render web", "check web", "run layered-values web", "explain web"):
            shown = screen.run(f"krm-values {words}")
            flat = shown.replace("\n", "")
            assert flat.count("error: web/layers.yaml:") == 2, shown
            assert re.search(r"(?m)^2 errors, 1 warning\ncode=1$", shown), shown
            assert shown.count("2 errors") == 1


def test_colours_and_none_where_they_are_refused(package, scratch):
    broken(package)
    with Screen(package, scratch, colours=True) as screen:
        screen.run("krm-values render")
        assert f"{ESCAPE}31merror{ESCAPE}" in screen.text(escapes=True)
        screen.run("NO_COLOR=1 krm-values render")
        assert "error: " in screen.text(escapes=True)


def test_progress_while_a_program_is_waited_for_and_a_total(package, scratch, waiting, screen):
    screen.start("krm-values render --allow-exec")
    shown = screen.wait(r"(?m)^[-|/\\] rendering( \d+/2)?  \d+ s$")
    assert shown.count("rendering") == 1
    waiting.write_text("go\n")
    shown = screen.wait(r"(?m)^code=\d+$")
    assert re.search(r"(?m)^2 steps run, updated: deployment.yaml, \d+\.\d s\ncode=0$", shown), shown
    assert "rendering" not in shown


def test_of_several_packages_the_progress_and_the_total(package, scratch, waiting):
    for name in ("a", "b"):
        shutil.copytree(package, package.parent / name)
    with Screen(package.parent, scratch) as screen:
        screen.start("krm-values check --allow-exec a b web")
        for shown in (
            "packages 0/3",
            "packages 1/3",
            "packages 2/3",
        ):  # each step has opened the pipe, and the one before has closed it
            screen.wait(rf"(?m)^[-|/\\] {shown}, rendering( 0/2)?  \d+ s$")
            waiting.write_text("go\n")
        shown = screen.wait(r"(?m)^code=\d+$")
    assert re.search(r"(?m)^3 packages: 3 differ, \d+\.\d s\ncode=1$", shown), shown


LONG = [
    "render --allow-exec",
    "render --allow-exec --diff",
    "render --allow-exec -o ../out",
    "check --allow-exec",
    "explain . --allow-exec",
    "explain . --allow-exec --html ../page.html",
    "values . --allow-exec",
    "why layers.yaml:8 --allow-exec",
    "impact layers.yaml:8 --allow-exec",
    "compare . . --allow-exec",
]


@pytest.mark.parametrize("words", LONG)
def test_an_interrupted_command_ends_with_130_and_leaves_nothing_half_written(package, waiting, screen, words):
    before = snapshot(package.parent)
    screen.start(f"krm-values {words}")
    screen.wait(r"(?m)^[-|/\\] .*rendering.*  \d+ s$")
    screen.keys("C-c")
    shown = screen.wait(r"(?m)code=\d+$")
    assert shown.endswith(f"code=130\n{PROMPT}"), shown
    assert "Traceback" not in shown
    assert snapshot(package.parent) == before


@pytest.mark.parametrize("words", ["render", "clean", "revert layered-values", "render --recursive"])
def test_so_does_one_that_waits_for_another_writer(package, screen, words):
    before = snapshot(package)
    folder = os.open(package, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        screen.start(f"krm-values {words}")
        screen.wait(r"(?m)^[-|/\\] .*waiting for another writer  \d+ s$")
        screen.keys("C-c")
        shown = screen.wait(r"(?m)code=\d+$")
    finally:
        os.close(folder)
    assert shown.endswith(f"code=130\n{PROMPT}"), shown
    assert snapshot(package) == before


@pytest.mark.parametrize("words", ["run -", "clean -", "run layered-values - --config layers.yaml"])
def test_so_does_one_that_waits_for_its_input(screen, words):
    screen.start(f"krm-values {words}")
    screen.wait("krm-values: waiting for resources on stdin; Ctrl-D ends them")
    screen.keys("C-c")
    assert screen.wait(r"(?m)code=\d+$").endswith(f"code=130\n{PROMPT}")


def test_docs_open_in_a_pager(screen):
    screen.start("krm-values docs layered-values")
    shown = screen.wait(r"(?m)^:$")
    assert "layered-values" in shown
    screen.keys("q")
    assert screen.wait(rf"(?m)^code=\d+\n{PROMPT}").endswith(f"code=0\n{PROMPT}")
