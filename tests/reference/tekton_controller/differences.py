"""What `tekton-params` writes, as Tekton runs it, against what Tekton runs without it."""

from __future__ import annotations

from tests.functions.tekton_params.support import resolve
from tests.reference.difference import Difference, shown
from tests.reference.tekton_controller import resolve as tekton
from tests.reference.tekton_controller.generate import Generator

MODES = ("all",)


def report(seed: int, mode: str = "all") -> str:
    """The difference of the run of a seed; "" if there is none.

    Where Tekton runs the original, it runs the explicit form alike; and it runs explicit forms that have no errors.
    """
    generator = Generator(seed)
    items = generator.items()
    found = resolve(items, **generator.config)
    kind, spec = items[0]["kind"], items[0]["spec"]
    if found.errors or kind == "Pipeline" or "$(tasks." in str(spec):
        return ""
    after = tekton.resolve(kind, found.items[0]["spec"])
    try:
        before = tekton.resolve(kind, spec)
    except tekton.Rejected:
        return ""
    return "" if after == before else shown(items, Difference("steps", after, before))
