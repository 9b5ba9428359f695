"""A terminal of 80 columns, by tmux: what is typed, and what the screen then shows. Nothing here waits for a time to pass, only for a screen."""

from __future__ import annotations

import os
import re
import select
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.packages import SOURCE, START

if TYPE_CHECKING:
    from typing import Self

PATIENCE = 60
PROMPT = "READY>"
_SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "--interactive"],
}


def need(*programs: str) -> None:
    """Skip a test that needs a program this machine lacks."""
    for program in programs:
        if shutil.which(program) is None:
            assert os.environ.get("KRM_HOSTS") != "required", f"{program} must be installed"
            pytest.skip(f"{program} is not on PATH")


class Screen:
    """A shell in a terminal, in a folder, with our commands on its PATH. colours: whether it wants any."""

    def __init__(self, folder: Path, scratch: Path, shell: str = "bash", *, colours: bool = False) -> None:
        need("tmux", shell)
        commands = scratch / "bin"
        commands.mkdir(exist_ok=True)
        for name in ("krm-values", "krm-layered-values", "kubectl-krm_values", "kubectl_complete-krm_values"):
            script = commands / name
            script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(START)} {name} "$@"\n')
            script.chmod(0o755)
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("KRM_", "NO_COLOR", "TMUX", "PYTEST"))
        }
        self._environment = {
            **kept,
            "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(SOURCE),
            "HOME": str(scratch),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "PS1": f"{PROMPT} ",
            "PS2": "",
            **({} if colours else {"NO_COLOR": "1"}),
        }
        self._socket, self._printed = scratch / "tmux", scratch / "printed"
        self._folder, self._shell = folder, _SHELLS[shell]

    def __enter__(self) -> Self:
        size = ["-x", "80", "-y", "50"]
        os.mkfifo(self._printed)
        self._news = os.open(self._printed, os.O_RDWR | os.O_NONBLOCK)
        self._tmux("new-session", "-d", *size, "-c", str(self._folder), *self._shell)
        self._tmux("pipe-pane", "-O", f"exec cat > {shlex.quote(str(self._printed))}")
        if self._shell[0] == "fish":
            self.keys(f"function fish_prompt; echo '{PROMPT} '; end", "Enter")
        self.wait(f"{PROMPT} ?$")
        return self

    def __exit__(self, *_: object) -> None:
        self._tmux("kill-server", check=False)
        os.close(self._news)
        self._printed.unlink()

    def run(self, line: str) -> str:
        """Type a command, wait until it has ended, and return what it printed, with its exit code as a last line."""
        self.start(line)
        return self.ended()

    def ended(self) -> str:
        """Return what the terminal shows when the command has ended and the shell waits for the next."""
        return self.wait(rf"(?m)code=\d+\n{PROMPT}")

    def start(self, line: str) -> None:
        """Type a command, of which the exit code is printed when it has ended."""
        code = "$status" if self._shell[0] == "fish" else "$?"
        self.keys("clear", "Enter")
        self.wait(rf"\A\s*{PROMPT}\Z")  # the end of an earlier command is gone
        self._tmux("clear-history")
        self.keys(f"clear; {line}; echo code={code}", "Enter")

    def keys(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def wait(self, pattern: str, *, escapes: bool = False) -> str:
        """Return what the terminal shows as soon as the pattern is found in it. It is looked at once more whenever something was printed."""
        ends = time.monotonic() + PATIENCE
        while True:
            text = self.text(escapes=escapes)
            if re.search(pattern, text):
                return text
            if not select.select([self._news], [], [], max(0, ends - time.monotonic()))[0]:
                pytest.fail(f"not shown within {PATIENCE} s: {pattern}\n{text}")
            os.read(self._news, 1 << 20)

    def text(self, *, escapes: bool = False) -> str:
        """Return what the terminal shows, and showed. escapes: with colours."""
        shown = self._tmux("capture-pane", "-p", "-S", "-", *["-e"] * escapes)
        return "\n".join(line.rstrip() for line in shown.splitlines()).rstrip()

    def _tmux(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), "-f", "/dev/null", *words],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout
