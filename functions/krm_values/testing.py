"""The laws of a function as pytest cases, for functions that live outside of this project.

`python -m krm_values.testing FUNCTION` prints the schema of a function's config, for a `config.json` beside `config.py`: without it each run
makes the schema anew.
"""

from __future__ import annotations

import argparse
import difflib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.data_edits import same
from krm_values._data.record import replace
from krm_values._krm import config as configs
from krm_values._krm import resourcelist
from krm_values._run import invoke, registry
from krm_values._run.resolve import resolve
from krm_values._run.step_position import in_list, writer_of

if TYPE_CHECKING:
    from typing import Any, NoReturn

    from krm_values._krm.resourcelist import ResourceList
    from krm_values._run.resolve import Outcome


class Laws:
    """What every function keeps to; `class TestLaws(Laws)` checks it on each case.

    function: its name. cases: a folder of folders, each with the stdin of a run, `input.yaml`, and its stdout, `expected.yaml`.
    """

    function: str
    cases: str | Path

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """Run each law on each case."""
        if "case" in metafunc.fixturenames:
            folders = sorted(path.parent for path in Path(self.cases).glob("*/input.yaml"))
            metafunc.parametrize("case", folders, ids=[folder.name for folder in folders])

    def test_there_is_a_case(self) -> None:
        """A folder without cases would keep every law."""
        if not [*Path(self.cases).glob("*/input.yaml")]:
            _fail(f"{self.cases} has no CASE/input.yaml")

    def test_schema(self) -> None:
        """`config.json`, if there is one, is what `config.py` makes: a run reads that one."""
        file = schema_file(self.function)
        if file.is_file() and file.read_text("utf-8") != schema_text(self.function):
            _fail(f"{file} is older than config.py: `python -m krm_values.testing {self.function} > {file}` makes it anew")

    def test_output(self, case: Path) -> None:
        """The output is the expected one, byte by byte."""
        expected = case / "expected.yaml"
        if not expected.is_file():
            _fail(f"{expected} is missing: make it with `krm-values run {self.function} < {case}/input.yaml > {expected}`")
        _same(self._run(_input(case))[0].decode(), expected.read_bytes().decode(), "the output is not the expected one")

    def test_second_run(self, case: Path) -> None:
        """A run on the output changes no byte of it."""
        first = _texts(self._run(_input(case))[0])
        again = _texts(self._run(self._run(_input(case))[0])[0])
        _same("".join(again), "".join(first), "a second run changes what the first one wrote")

    def test_undo(self, case: Path) -> None:
        """With undo records, a run that decides nothing gives the resources as they were, without those that were generated."""
        function = registry.load(self.function)
        given = resourcelist.read(_input(case))
        kept: dict[str, Any] = {**given.function_config} if isinstance(given.function_config, dict) else {}
        kept["spec"] = {**(kept.get("spec") or {}), "record": True}
        if configs.function_name(kept) != function.name or function.record is None:
            return  # a ConfigMap as config, or a function that keeps no records
        _, done = invoke.run_function(self.function, kept, given)
        if done.failed:
            return
        written = resourcelist.read(_written(given, done))
        idle = replace(function, planner=lambda *_: iter(()))
        writer = writer_of(function.name, kept)
        undone = resolve(
            idle,
            configs.read(function.form(), function.name, kept),
            written,
            position=in_list(written, writer, invoke.place_in(written)),
        )
        after = resourcelist.read(_written(written, undone))
        before = [item.data for item in given.items if item.number not in done.removed]
        if not same([item.data for item in after.items], before):
            _same(
                "\n".join(str(item.data) for item in after.items),
                "\n".join(map(str, before)),
                "what a run wrote cannot be undone",
            )

    def test_order(self, case: Path) -> None:
        """Another order of the resources gives the same resources."""
        source = resourcelist.read(_input(case))
        texts = [source.text(item.number) for item in source.items]
        turned = b"".join(source.write(dict(enumerate(reversed(texts))), frozenset(), (), ()))
        _same(
            "".join(sorted(_texts(self._run(turned)[0]))),
            "".join(sorted(_texts(self._run(_input(case))[0]))),
            "another order of the resources gives another result",
        )

    def test_bytes(self, case: Path) -> None:
        """Resources that the function does not write keep every byte, and line breaks stay those of the input."""
        source, done = invoke.answer(_input(case), self.function)
        found = resourcelist.read(_written(source, done))
        kept = [item.number for item in source.items if item.number not in done.removed]
        for number, before in enumerate(kept):
            if before not in done.edited:
                _same(found.text(number), source.text(before), "a resource that is not written changes")
        windows = _input(case).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        output = self._run(windows)[0]
        if output.count(b"\n") != output.count(b"\r\n"):
            _fail("of an input with Windows' line breaks, the output has others")
        _same(
            output.decode().replace("\r\n", "\n"),
            self._run(_input(case))[0].decode().replace("\r\n", "\n"),
            "line breaks change the result",
        )

    def _run(self, data: bytes) -> tuple[bytes, Outcome]:
        source, outcome = invoke.answer(data, self.function)
        return _written(source, outcome), outcome


def schema_file(function: str) -> Path:
    """Return where a run looks for the schema of a function's config."""
    (folder,) = __import__(registry.load(function).package, fromlist=["__path__"]).__path__
    return Path(folder) / "config.json"


def schema_text(function: str) -> str:
    """Return the schema of a function's config, made from its model."""
    from krm_values._krm.model import schema  # noqa: PLC0415 - it imports pydantic

    return json.dumps(schema(registry.load(function).load_model()), indent=2, ensure_ascii=False) + "\n"


def _input(case: Path) -> bytes:
    return (case / "input.yaml").read_bytes()


def _written(source: ResourceList, outcome: Outcome) -> bytes:
    return b"".join(source.apply(outcome, invoke.entries(outcome, source)))


def _texts(data: bytes) -> list[str]:
    source = resourcelist.read(data)
    return [source.text(item.number).rstrip() + "\n" for item in source.items]


def _same(found: str, expected: str, law: str) -> None:
    if found != expected:
        lines = difflib.unified_diff(expected.splitlines(), found.splitlines(), "expected", "found", lineterm="")
        _fail("\n".join([law, *lines]))


def _fail(text: str) -> NoReturn:
    raise AssertionError(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m krm_values.testing", description="Print the config.json of a function.")
    parser.add_argument("function")
    print(schema_text(parser.parse_args().function), end="")
