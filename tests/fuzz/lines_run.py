"""Which lines of the package have run: an input that makes new ones run is worth keeping."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import krm_values

ROOT = str(Path(krm_values.__file__).parent)
PATIENCE = 300
"""After so many calls in which nothing new ran, a function is looked at in one of as many calls only."""


class Lines:
    """The lines seen so far. Works on every interpreter, by its tracing."""

    def __init__(self) -> None:
        self.seen: set[tuple[CodeType, int]] = set()
        self._calls: dict[CodeType, int] = {}

    def watch(self, run: Callable[[], object]) -> None:
        """Run something and see which lines run."""
        sys.settrace(self._called)
        try:
            run()
        finally:
            sys.settrace(None)

    def _called(self, frame: FrameType, _event: str, _argument: object) -> Any:
        code = frame.f_code
        calls = self._calls.get(code)
        if calls is None:
            calls = 0 if code.co_filename.startswith(ROOT) else -1
        if calls < 0:
            self._calls[code] = calls
            return None
        self._calls[code] = calls + 1
        return self._line if calls < PATIENCE or calls % PATIENCE == 0 else None

    def _line(self, frame: FrameType, event: str, _argument: object) -> Any:
        place = frame.f_code, frame.f_lineno
        if event == "line" and place not in self.seen:
            self.seen.add(place)
            self._calls[frame.f_code] = 0
        return self._line
