"""kustomize's legacy exec plugins: small files by which `kubectl kustomize --enable-alpha-plugins` runs the functions."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError
from krm_values._krm import names
from krm_values._krm.files import TooLargeError, UnsafePathError, content_of
from krm_values._krm.write import put_file
from krm_values._run import registry, tools
from krm_values._run.terminal import plain

if TYPE_CHECKING:
    from typing import TextIO

_MARK = "# written by krm-values"
_LONGEST = 1 << 16  # bytes of a plugin file of ours


def install(out: TextIO) -> None:
    """Write one plugin file per function, and print their paths. InputError if another file is in the way."""
    for name in registry.functions():
        plugin = _plugin(name)
        if os.path.lexists(plugin) and not _is_ours(plugin):
            raise InputError("is not written by krm-values: move it away first", file=str(plugin))
        text = f'#!/bin/sh\n{_MARK} kustomize install-plugins\nexec {shlex.quote(_command(name))} "$@"\n'
        put_file(plugin, text.encode(), executable=True)
        out.write(f"{plain(str(plugin))}\n")


def uninstall(out: TextIO) -> None:
    """Remove the plugin files that `install` has written, and the directories that are empty then; print the paths of the files."""
    for name in registry.functions():
        plugin = _plugin(name)
        if not os.path.lexists(plugin) or not _is_ours(plugin):
            continue
        plugin.unlink()
        out.write(f"{plain(str(plugin))}\n")
        for folder in (plugin.parent, *plugin.parents[1:3]):  # of the kind, the version and the group
            with contextlib.suppress(OSError):
                folder.rmdir()


def _plugin(name: str) -> Path:
    """Return where kustomize looks for the plugin of a function's kind."""
    kind = names.kind(name)
    return _home() / names.API_VERSION / kind.lower() / kind


def _is_ours(plugin: Path) -> bool:
    try:
        return _MARK.encode() in content_of(plugin, _LONGEST)
    except (TooLargeError, UnsafePathError):
        return False


def _home() -> Path:
    """Return kustomize's plugin directory: KUSTOMIZE_PLUGIN_HOME, else below XDG_CONFIG_HOME, else below ~/.config."""
    home = os.environ.get("KUSTOMIZE_PLUGIN_HOME")
    if home:
        return Path(home)
    config = os.environ.get("XDG_CONFIG_HOME")
    return (Path(config) if config else Path.home() / ".config") / "kustomize" / "plugin"


def _command(name: str) -> str:
    """Return the function's own command: beside the running one, else on the PATH."""
    script = names.script(name)
    beside = Path(sys.argv[0]).resolve().with_name(script)
    found = str(beside) if os.access(beside, os.X_OK) else tools.find_program(script)
    if not found:
        raise UsageError(f"the command `{script}` is not installed: install krm-values with pip first")
    return found
