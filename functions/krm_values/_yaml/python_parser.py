"""PyYAML's own parser, for where libyaml is missing: the same events, slower."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_BREAKS = "\n\r\x85\u2028\u2029"
_ESCAPE = "found invalid Unicode character escape code"


def events(text: str | bytes) -> Callable[[], Any]:
    """Return a function that returns the next event; PyYAML's parser is adapted to accept what libyaml accepts."""
    whole = text.decode() if isinstance(text, bytes) else text
    loader: Any = yaml.SafeLoader(whole.removeprefix("\ufeff"))
    loader.scan_to_next_token = lambda: _to_next_token(loader)

    def next_event() -> Any:
        try:
            event = loader.get_event()
        except (ValueError, OverflowError):
            raise yaml.scanner.ScannerError(problem=_ESCAPE) from None
        if type(event) is yaml.ScalarEvent and any("\ud800" <= c <= "\udfff" for c in event.value):
            raise yaml.scanner.ScannerError(problem=_ESCAPE, problem_mark=event.start_mark)  # type: ignore[arg-type]
        return event

    return next_event


def _to_next_token(loader: Any) -> None:
    """Skip spaces, comments and line breaks; as libyaml does, and PyYAML does not, also tabs that are not indentation."""
    while True:
        while loader.peek() == " " or (loader.peek() == "\t" and (loader.flow_level or not loader.allow_simple_key)):
            loader.forward()
        if loader.peek() == "#":
            while loader.peek() not in "\0" + _BREAKS:
                loader.forward()
        if not loader.scan_line_break():
            return
        loader.allow_simple_key = loader.allow_simple_key or not loader.flow_level
