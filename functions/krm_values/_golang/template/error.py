"""What can be wrong with a template."""

from __future__ import annotations


class TemplateError(Exception):
    """`message` says what is wrong and quotes nothing of the value, which may be a secret.

    stage: `parse`, `execute` or `json`. construct: what is refused by name though Go knows it, else "". rendered: the output that is
    not JSON, else None; it holds the value.
    """

    def __init__(self, stage: str, message: str, *, construct: str = "", rendered: str | None = None) -> None:
        super().__init__(message)
        self.stage, self.message, self.construct, self.rendered = stage, message, construct, rendered


def refused(construct: str, stage: str = "parse") -> TemplateError:
    """For what Go knows and this evaluator does not: `index is`, `variables are`."""
    return TemplateError(stage, f"{construct} not supported", construct=construct)
