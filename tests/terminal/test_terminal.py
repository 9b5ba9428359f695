"""What a person sees at 80 columns: help, findings, progress, totals, colours, and what Ctrl-C leaves behind."""

from __future__ import annotations

import os
import re
import shutil
import socket

import pytest

from krm_values._cli.arguments import table
from krm_values._krm.write import STAGED, locked
from tests.cli.packages import command, snapshot, write
from tests.cli.test_compare_git import commit
from tests.cli.test_compare_git import run as git
from tests.functions.envgene_sd.test_credentials import APPDEF
from tests.terminal.screen import PROMPT, Screen, need

ESCAPE = "\x1b["


@pytest.mark.parametrize("words", ["", "help render", "help impact"])
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
    shown = screen.ended()
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
        shown = screen.ended()
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
    shown = screen.ended()
    assert shown.endswith(f"code=130\n{PROMPT}"), shown
    assert "Traceback" not in shown
    assert snapshot(package.parent) == before


@pytest.mark.parametrize("words", ["render", "clean", "revert layered-values", "render --recursive"])
def test_so_does_one_that_waits_for_another_writer(package, screen, words):
    before = snapshot(package)
    with locked(package):
        screen.start(f"krm-values {words}")
        screen.wait(r"(?m)^[-|/\\] .*waiting for another writer  \d+ s$")
        screen.keys("C-c")
        shown = screen.ended()
    assert shown.endswith(f"code=130\n{PROMPT}"), shown
    assert snapshot(package) == before


@pytest.fixture
def fleet(package, waiting):
    """Two packages whose steps wait, below one root, which the screen is in."""
    shutil.move(package, package.parent / "fleet/web")
    shutil.copytree(package.parent / "fleet/web", package.parent / "fleet/api")
    return package.parent / "fleet"


STOPS = "krm-values: stops after the packages under way; Ctrl-C again ends it now"


@pytest.mark.parametrize(
    "words", ["render --diff", "explain . spec.replicas", "impact . layers.yaml:8", "compare . --against HEAD"]
)
def test_so_does_a_question_to_a_fleet_at_the_second_time(fleet, waiting, scratch, words):
    need("git")
    git(fleet, "init", "-q")
    commit(fleet)
    (fleet / "web/layers.yaml").write_text((fleet / "web/layers.yaml").read_text().replace("replicas: 3", "replicas: 5"))
    before = [snapshot(fleet / name) for name in ("api", "web")]
    with Screen(fleet, scratch) as screen:
        screen.start(f"krm-values fleet {words} --jobs 1 --allow-exec")
        with waiting.open("w"):  # once the step of a package waits for it
            screen.keys("C-c")
            screen.wait(STOPS)
            screen.keys("C-c")
            shown = screen.ended()
    assert shown.endswith(f"code=130\n{PROMPT}"), shown
    assert "Traceback" not in shown
    assert [snapshot(fleet / name) for name in ("api", "web")] == before


def test_so_does_the_render_of_a_fleet_when_the_packages_under_way_are_written(fleet, waiting, scratch):
    before = snapshot(fleet)
    with Screen(fleet, scratch) as screen:
        pipe = os.open(waiting, os.O_RDWR)
        screen.start("krm-values fleet render --jobs 1 --allow-exec")
        screen.wait(r"(?m)^[-|/\\] rendering 0/2  \d+ s$")
        screen.keys("C-c")
        screen.wait(STOPS)
        os.write(pipe, b"go\ngo\n")
        shown = screen.ended()
        os.close(pipe)
    assert shown.endswith(f"code=130\n{PROMPT}"), shown
    assert "Traceback" not in shown
    after = snapshot(fleet)
    assert {name for name, text in after.items() if text != before.get(name)} <= {"api/deployment.yaml", "web/deployment.yaml"}
    for name in ("api/deployment.yaml", "web/deployment.yaml"):
        assert after[name] == before[name] or "  replicas: 3\n" in after[name]


def test_so_does_the_merge_of_a_fleet_that_waits_for_another_writer(package, scratch):
    assert command("fleet", "render", package, "--shard", "1/1", "--bundle", scratch / "bundle").returncode == 0
    with Screen(package, scratch) as screen:
        with locked(package):
            screen.start(f"krm-values fleet merge . {scratch}/bundle")
            screen.wait(r"(?m)^[-|/\\] writing 0/1  \d+ s$")
            screen.keys("C-c")
            screen.wait(STOPS)
        shown = screen.ended()
    assert shown.endswith(f"code=130\n{PROMPT}"), shown
    assert "  replicas: 3\n" in (package / "deployment.yaml").read_text()
    assert [path.name for path in package.iterdir() if path.name.startswith(STAGED)] == []


SD = "environments/east/prod-7/Inventory/solution-descriptor/sd.yaml"
APPLICATIONS = '{"applications": [{"version": "ledger:3.2.0", "deployPostfix": "finance"}]}'


@pytest.mark.parametrize(
    "words", ["process --sd-source-type json --sd-data @new.json --environment east/prod-7", "sink . < list.yaml"]
)
def test_so_does_one_of_envgene_that_waits_for_another_writer(tmp_path, scratch, words):
    write(tmp_path, {SD: APPLICATIONS, "new.json": APPLICATIONS, "list.yaml": "kind: ResourceList\nitems: []\n"})
    before = snapshot(tmp_path)
    with locked(tmp_path), Screen(tmp_path, scratch) as screen:
        screen.start(f"krm-values envgene {words}")
        screen.wait(r"(?m)^[-|/\\] waiting for another writer  \d+ s$")
        screen.keys("C-c")
        shown = screen.ended()
    assert shown.endswith(f"code=130\n{PROMPT}"), shown
    assert snapshot(tmp_path) == before


@pytest.fixture
def silent(tmp_path):
    """A repository whose registry takes connections and never answers. The server."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        registry = (
            f"name: central\ncredentialsId: ''\nmavenConfig:\n  repositoryDomainName: '{address}'\n  targetRelease: rel\n"
        )
        write(tmp_path, {SD: APPLICATIONS, "appdefs/suite.yml": APPDEF, "regdefs/central.yml": registry})
        yield server


@pytest.mark.parametrize(
    "words",
    [
        "fetch suite:1.4.0 --repository . > fetched.yaml",
        "source . --fetch suite:1.4.0 > fetched.yaml",
        "process --all --sd-source-type artifact --sd-version suite:1.4.0",
        "process --all --sd-source-type artifact --sd-version suite:1.4.0 --diff > fetched.yaml",
    ],
)
def test_so_does_one_of_envgene_that_waits_for_a_server(tmp_path, scratch, silent, words):
    (tmp_path / "fetched.yaml").touch()
    before = snapshot(tmp_path)
    with Screen(tmp_path, scratch) as screen:
        screen.start(f"no_proxy=127.0.0.1 krm-values envgene {words}")
        screen.wait(r"(?m)^[-|/\\] fetching( 0/\d)?  \d+ s$")
        with silent.accept()[0]:  # which has been asked, and answers nothing
            screen.keys("C-c")
            shown = screen.ended()
    assert shown == f"code=130\n{PROMPT}"
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("words", ["run -", "clean -", "run layered-values - --config layers.yaml"])
def test_so_does_one_that_waits_for_its_input(screen, words):
    screen.start(f"krm-values {words}")
    screen.wait("krm-values: waiting for resources on stdin; Ctrl-D ends them")
    screen.keys("C-c")
    assert screen.ended().endswith(f"code=130\n{PROMPT}")


def test_docs_open_in_a_pager(screen):
    screen.start("krm-values docs layered-values")
    shown = screen.wait(r"(?m)^:$")
    assert "layered-values" in shown
    screen.keys("q")
    assert screen.wait(rf"(?m)^code=\d+\n{PROMPT}").endswith(f"code=0\n{PROMPT}")
