"""PyYAML's C parser with its events and errors, without the Python loaders and dumpers of the package.

`import yaml` executes 120 million instructions, of which the C extension needs three: the rest are patterns, tables and base classes
that nothing here uses. The extension looks the package up when it is imported, and takes only errors, tokens, events and nodes from it. So
it gets a stand-in for the time of its import. A later `import yaml` works as usual. If anything is not as expected, the whole
package is imported.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError

if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_NAME = "yaml"
_PARTS = ("error", "tokens", "events", "nodes")
_MARKED = ("scanner", "parser", "composer", "constructor")
_UNMARKED = ("emitter", "serializer", "representer")


def load() -> tuple[Any, Any, Any]:
    """Return the class of the parser and PyYAML's modules `events` and `error`. InputError if PyYAML was built without libyaml."""
    if _NAME not in sys.modules:
        try:
            return _alone()
        except Exception:  # noqa: BLE001 - another version of PyYAML may need anything
            for part in ("_yaml", *_PARTS):
                sys.modules.pop(f"{_NAME}.{part}", None)
    import yaml  # noqa: PLC0415 - only where its parser cannot be had alone

    if not yaml.__with_libyaml__:
        again = f"{sys.executable} -m pip install --force-reinstall --no-cache-dir --no-binary PyYAML PyYAML"
        raise InputError(
            f"PyYAML was built without libyaml, whose parser is needed: install libyaml with its headers, then run `{again}`"
        )
    return yaml.cyaml.CParser, yaml.events, yaml.error  # type: ignore[attr-defined]


def _alone() -> tuple[Any, Any, Any]:
    package = _stand_in()
    sys.modules[_NAME] = package
    try:
        for part in _PARTS:
            setattr(package, part, _module(part))
        _add_errors(package)
        parser = _module("_yaml").CParser
    finally:
        del sys.modules[_NAME]
    made: Any = package
    return parser, made.events, made.error


def _stand_in() -> ModuleType:
    """Return an empty module whose submodules are PyYAML's."""
    finder: Any = sys.modules["_frozen_importlib_external"]
    found = finder.PathFinder.find_spec(_NAME)
    if found is None or not found.submodule_search_locations:
        raise ImportError
    package = type(sys)(_NAME)
    package.__path__ = list(found.submodule_search_locations)
    return package


def _module(name: str) -> ModuleType:
    found: ModuleType = __import__(f"{_NAME}.{name}", fromlist=[name])
    return found


def _add_errors(package: Any) -> None:
    """Add the errors that the extension asks for, in modules that nothing else imports."""
    for names, base in ((_MARKED, package.error.MarkedYAMLError), (_UNMARKED, package.error.YAMLError)):
        for name in names:
            _add(package, name, type(f"{name.capitalize()}Error", (base,), {}))
    _add(package, "reader", type("ReaderError", (package.error.YAMLError,), {"__init__": _unreadable}))


def _add(package: Any, module: str, error: type) -> None:
    made = type(sys)(module)
    setattr(made, error.__name__, error)
    setattr(package, module, made)


def _unreadable(self: Any, _name: str, position: int, character: object, encoding: str, reason: str) -> None:
    self.position, self.character, self.encoding, self.reason = position, character, encoding, reason
