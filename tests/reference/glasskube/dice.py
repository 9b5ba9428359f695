"""Random choices for Glasskube packages, and the few names and values that these are made of."""

from __future__ import annotations

import random
from typing import Any

Json = Any
API = "packages.glasskube.dev/v1alpha1"
SPACES = ("x", "x", "y")
VALUES = ("a", "b", "B", "z")
TYPES = ("text", "text", "number", "boolean", "options")
TEXTS = {
    "text": ("red", "blue", "", "a b", "5"),
    "number": ("1", "7", "+3", "007", "12"),
    "boolean": ("true", "false", "T", "0", "1"),
    "options": ("red", "blue", "red"),
}
TEMPLATES = {
    "text": ('"{{.}}"', '"{{ . | base64 }}"', '{{ if eq . "red" }}1{{ else }}"{{ . }}"{{ end }}', "[{{ len . }}]"),
    "number": ("{{.}}", '"{{ . }}"'),
    "boolean": ("{{.}}", '{{ if eq . "true" }}{"on": true}{{ else }}null{{ end }}'),
    "options": ('"{{.}}"', '{"k": "{{ . }}"}'),
}
FILES = ("a.yaml", "b/c.yaml", "d.yaml")


class Dice:
    """Choices from one seed. `wild` is how often something is done that is likely to be rejected."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(f"glasskube {seed}")
        self.wild = self.random.choice((0, 0, 0, 0, 0.004, 0.02, 0.06))
        self.types = {name: self.pick(TYPES) for name in VALUES}

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def odd(self, weight: float = 1) -> bool:
        return self.chance(self.wild * weight)

    def pick(self, options: Json) -> Json:
        return self.random.choice(list(options))
