"""What `make test` runs each day: everything but what needs a host or takes minutes, and of the sampled tests one in thirty.

`make test-all` runs everything; so does pytest without `--daily`, and `--rest` runs what `--daily` does not. The day is the date's (UTC), or that of `--day`: in thirty days each
sampled test is run once. CI runs `--daily`, then `--rest --every 3`: a third of the sampled tests a day, so that three days run everything.
"""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections import Counter
from typing import Any, Literal

import pytest

DAYS = 30
REST = {
    "tests/bench/": "minutes of an idle machine",
    "tests/crash_consistency/": "thousands of killed processes",
    "tests/hosts/": "kpt, kubectl, kustomize, a Docker engine",
    "tests/oracles/": "Go and its module proxy, Helm",
    "tests/page/": "Chromium",
    "tests/test_kinds.py::test_an_example_is_what_a_case_prints": "every conformance case once more",
    "tests/terminal/": "tmux, zsh, fish",
}
"""Folders and files that only `make test-all` runs, and what they need. So are tests that are marked `hosts`."""
SAMPLED = (
    "tests/conformance/test_environment.py",
    "tests/conformance/test_laws.py",
    "tests/fuzz/",
    "tests/growth/",
    "tests/guards/test_expressions.py",
    "tests/hostile/test_hostile.py::test_an_attack",
    "tests/hostile/test_scalars.py",
    "tests/inputs/test_inputs.py::test_so_does_a_random_package",
    "tests/ledger/test_invariants.py::test_of_a_list",
    "tests/ledger/test_invariants.py::test_of_a_random",
    "tests/ledger/test_laws.py::test_a_law_holds",
    "tests/mutants/",
    "tests/reference/",
    "tests/restack/",
    "tests/secrets/",
    "tests/test_collecting.py",
    "tests/test_contributing.py",
    "tests/test_corpus.py::test_the_pipe",
    "tests/typos/test_causes.py",
    "tests/typos/test_generated.py",
    "tests/typos/test_real_manifests.py::test_real",
    "tests/typos/test_typo_places.py",
    "tests/cli/test_clean.py::test_release_is_render_and_clean",
    "tests/cli/test_compare_functions.py",
    "tests/cli/test_composed.py::test_every_line",
    "tests/cli/test_every_line.py::test_every_line_of_the_examples",
    "tests/cli/test_ignore.py::test_it_matches",
    "tests/cli/test_impact_laws.py::test_the_impact_of_many",
    "tests/cli/test_ignore.py::test_many_patterns",
    "tests/cli/test_ignore.py::test_of_many_patterns",
    "tests/cli/test_ignore.py::test_patterns_and_names",
    "tests/cli/test_places.py::test_of_a_text_inside",
    "tests/cli/test_planted.py",
    "tests/cli/test_random_stacks.py",
    "tests/cli/test_strict_json.py::test_of_a_case",
    "tests/cli/test_strict_json.py::test_of_an_example",
    "tests/cli/test_ways.py::test_another_scalar",
    "tests/cli/test_ways.py::test_every_way",
    "tests/cli/test_widths.py::test_every_line",
    "tests/cli/test_widths.py::test_no_word",
    "tests/kit/test_block_lines.py::test_random_lines",
    "tests/kit/test_brief.py",
    "tests/kit/test_corpus_edits.py",
    "tests/kit/test_jsonpath.py::test_a_path_that_visits_and_makes_too_much",
    "tests/kit/test_layers.py::test_every_winner",
    "tests/kit/test_layers.py::test_the_values_are_those",
    "tests/kit/test_cut.py::test_generated_lists",
    "tests/kit/test_cut.py::test_mutants",
    "tests/kit/test_pointer.py::test_get_agrees",
    "tests/kit/test_recorded.py::test_a_record_that_hashes_too_much",
    "tests/kit/test_recorded.py::test_an_edit_by_hand_between_runs",
    "tests/kit/test_recorded.py::test_any_run_after_any_other",
    "tests/kit/test_stack.py::test_after_any_history",
    "tests/kit/test_stack.py::test_other_values",
    "tests/kit/test_undo.py::test_a_key_written_by_hand",
    "tests/kit/test_undo.py::test_a_leaf_edited_by_hand_anywhere",
    "tests/kit/test_undo.py::test_any_other_state",
    "tests/kit/test_undo.py::test_undoing_what_is_pristine",
    "tests/kit/test_undo.py::test_what_was_done",
    "tests/kit/test_undo.py::test_with_secrets",
    "tests/kit/test_undo_forms.py::test_a_record_that_hashes_too_much",
    "tests/kit/test_valuestext.py::test_every_reader",
    "tests/kit/test_yaml.py::test_data_without_nodes",
    "tests/functions/cartographer_params/test_example.py",
    "tests/functions/cartographer_params/test_room.py",
    "tests/functions/envgene_sd/test_credentials.py::test_no_fault_of_the_file",
    "tests/functions/envgene_sd/test_credentials.py::test_no_output",
    "tests/functions/envgene_sd/test_environment_by_environment.py",
    "tests/functions/envgene_sd/test_files_that_are_not_regular.py",
    "tests/functions/envgene_sd/test_hostile_answers.py",
    "tests/functions/envgene_sd/test_recorded.py",
    "tests/functions/envgene_sd/test_repeats.py",
    "tests/functions/flux_values/test_origins.py",
    "tests/functions/flux_values/test_random.py",
    "tests/functions/test_copied_scalars.py::test_a_copy_is_written",
    "tests/functions/giantswarm_config/test_fold.py::test_a_platform_of_two_levels",
    "tests/functions/giantswarm_config/test_helm_release.py::test_flux_composes",
    "tests/functions/giantswarm_config/test_origins.py",
    "tests/functions/glasskube_values/test_hostile",
    "tests/functions/glasskube_values/test_mutations.py",
    "tests/functions/glasskube_values/test_sequences.py",
    "tests/functions/layered_values/test_bounds.py",
    "tests/functions/layered_values/test_json_texts.py",
    "tests/functions/layered_values/test_random.py",
    "tests/functions/tekton_params/test_recorded.py",
    "tests/functions/tekton_params/test_corpus.py::test_a_second_run",
    "tests/functions/tekton_params/test_structure.py::test_every_field_misspelt",
    "tests/functions/tekton_params/test_triggers.py::test_an_element",
)
"""Folders and files of which a thirtieth is run each day: laws on random input, and tables of like rows."""
IN_TURNS = ("tests/hosts/test_chains.py",)
"""Folders and files of `REST` of which `--every` chooses, too."""
GET = {
    "is not on PATH": "install it, or run the tests in CI, which installs all of them",
    "Docker engine": "start a Docker engine, and `make images`",
    "Go": "install Go, with its module proxy reachable",
    "not installed": "install it, or run the tests in CI, which installs all of them",
    "KRM_SHARED": "name the directory whose `corpus` has real manifests: KRM_SHARED=DIRECTORY",
}
"""By a part of the reason of a skipped test: how to have it run."""

Part = Literal["daily", "sampled", "rest", "turns"]
ALL = pytest.StashKey[list[tuple[str, Part]]]()


def part(name: str, *, hosts: bool) -> Part:
    """Return which part a test belongs to, by its id, such as `tests/kit/test_yaml.py::test_x[1]`."""
    if hosts or name.startswith(tuple(REST)):
        return "turns" if name.startswith(IN_TURNS) else "rest"
    return "sampled" if name.startswith(SAMPLED) else "daily"


def chosen(parts: list[Part], day: int) -> list[bool]:
    """Return which tests of a collection are run on a day: of the sampled ones every thirtieth, in their order."""
    number = itertools.count()
    return [each == "daily" or (each == "sampled" and next(number) % DAYS == day % DAYS) for each in parts]


def rest(parts: list[Part], day: int, every: int) -> list[bool]:
    """Return which of the others are run then: all, or of those that take turns every second if `every` is 2."""
    number = itertools.count()
    is_on = [each in ("sampled", "turns") and next(number) % every == day % every for each in parts]
    return [not early and (each == "rest" or turn) for each, early, turn in zip(parts, chosen(parts, day), is_on, strict=True)]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--daily", action="store_true", help="run what make test runs")
    parser.addoption("--rest", action="store_true", help="run what make test does not run")
    parser.addoption(
        "--every", type=int, default=1, help="with --rest: of the tests that take turns one in so many, by the day"
    )
    parser.addoption("--day", type=int, default=int(time.time()) // 86400, help="the day whose sample it is")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    parts = [part(item.nodeid, hosts=item.get_closest_marker("hosts") is not None) for item in items]
    config.stash[ALL] = [(item.nodeid, each) for item, each in zip(items, parts, strict=True)]
    if config.getoption("daily") or config.getoption("rest"):
        day = config.getoption("day")
        kept = rest(parts, day, config.getoption("every")) if config.getoption("rest") else chosen(parts, day)
        left = Counter(each for each, is_kept in zip(parts, kept, strict=True) if not is_kept)
        _outputs(config)["left"] = dict(left)
        config.hook.pytest_deselected(items=[item for item, is_kept in zip(items, kept, strict=True) if not is_kept])
        items[:] = [item for item, is_kept in zip(items, kept, strict=True) if is_kept]


def _outputs(config: Any) -> dict[str, Any]:
    """Return what a worker hands to the process that prints, or that process keeps for itself."""
    if not hasattr(config, "workeroutput"):
        config.workeroutput = {}
    return config.workeroutput  # type: ignore[no-any-return]


class Reporter:
    """Says what happens while tests are collected, and in the end what was not run and how to have it run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.began, self.collected = config, time.monotonic(), threading.Event()
        self.left: dict[str, int] = {}

    def pytest_sessionstart(self) -> None:
        if self.config.getoption("numprocesses", None) and not self.config.getoption("collectonly"):
            threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        while not self.collected.wait(2):
            print(f"collecting the tests: {time.monotonic() - self.began:.0f} s", file=sys.__stderr__, flush=True)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self) -> None:
        self.collected.set()

    def pytest_sessionfinish(self) -> None:
        self.collected.set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.left = getattr(node, "workeroutput", {}).get("left", self.left)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        write = terminalreporter.write_line
        left = self.left or _outputs(self.config).get("left") or {}
        skipped = Counter(_reason(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
        if skipped or (left and self.config.getoption("daily")):
            terminalreporter.section("not run")
        for reason, count in skipped.most_common():
            write(f"{count} skipped: {reason}" + next((f" -> {how}" for known, how in GET.items() if known in reason), ""))
        if left and self.config.getoption("daily"):
            day = self.config.getoption("day") % DAYS
            write(
                f"{left.get('sampled', 0)} of other days (this is day {day} of {DAYS}) and {left.get('rest', 0) + left.get('turns', 0)} that need more -> make test-all"
            )


def _reason(longrepr: object) -> str:
    text = longrepr[2] if isinstance(longrepr, tuple) else str(longrepr)
    return str(text).removeprefix("Skipped: ")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter(config))
