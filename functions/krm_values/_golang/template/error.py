"""The error of a template."""

from __future__ import annotations


class TemplateError(Exception):
    """An error of a template. `message` quotes nothing of the value, which may be secret.

    stage: `parse`, `execute` or `json`. construct: a construct of Go that is not supported, else "". rendered: output that is not JSON,
    else None; it contains the value.
    """

    def __init__(self, stage: str, message: str, *, construct: str = "", rendered: str | None = None) -> None:
        super().__init__(message)
        self.stage, self.message, self.construct, self.rendered = stage, message, construct, rendered


def refused(construct: str, stage: str = "parse") -> TemplateError:
    """Return the error for a construct of Go that is not supported: `index is`, `variables are`."""
    return TemplateError(stage, f"{construct} not supported", construct=construct)
