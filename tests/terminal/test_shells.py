"""Completion in the shells themselves: a word is typed, the key is pressed, and the screen shows the rest."""

from __future__ import annotations

import pytest

from tests.terminal.screen import PROMPT, Screen

BEGIN = {
    "bash": ['eval "$(krm-values completion bash)"'],
    "zsh": ["autoload -U compinit; compinit -u -D", 'eval "$(krm-values completion zsh)"'],
    "fish": ["krm-values completion fish | source"],
}


WORDS = {
    "krm-values rend": "krm-values render",
    "krm-values render --rec": "krm-values render --recursive",
    "krm-values explain . spec.rep": "krm-values explain . spec.replicas",
    "krm-values docs lay": "krm-values docs layered-values",
    "krm-values explain --overridden-by pr": "krm-values explain --overridden-by prod",
    "krm-values values . Depl": "krm-values values . Deployment/web",
    "krm-values why lay": "krm-values why layers.yaml",
}
"""What is typed, and what it becomes. What may stand there is told by one command to all shells, so that all of it is asked in one of them."""


@pytest.mark.parametrize("shell", BEGIN)
def test_a_shell_completes(package, scratch, shell):
    with Screen(package, scratch, shell) as screen:
        for line in BEGIN[shell]:
            assert screen.run(line).splitlines()[-2] == "code=0"
        for typed in [*WORDS] if shell == "bash" else [*WORDS][:3]:
            screen.keys("C-u")
            screen.keys(typed, "Tab")
            screen.wait(rf"(?m){PROMPT} ?\n?.*{WORDS[typed]}( |$)")
