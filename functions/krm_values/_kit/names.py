"""One function name and its spellings, the project's API group, and the nearest known name for a misspelt one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

GROUP = "krm-values.dev"
API_VERSION = f"{GROUP}/v1alpha1"


def argument(module: str) -> str:
    """`krm_values.tekton_params` or `TektonParams` to `tekton-params`."""
    last = module.rsplit(".", 1)[-1]
    if last[:1].isupper():
        last = "".join("_" + c.lower() if c.isupper() else c for c in last)[1:]
    return last.replace("_", "-")


def module(name: str) -> str:
    """`tekton-params` to `tekton_params`."""
    return name.replace("-", "_")


def kind(name: str) -> str:
    """`tekton-params` to `TektonParams`."""
    return "".join(part.capitalize() for part in name.split("-"))


def script(name: str) -> str:
    """`tekton-params` to `krm-tekton-params`."""
    return f"krm-{name}"


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word with the fewest edits, or "" when none is near: at most a third of the letters may differ."""
    best, distance = "", max(1, len(word) // 3) + 1
    for candidate in known:
        cost = _edits(word.lower(), candidate.lower())
        if cost < distance:
            best, distance = candidate, cost
    return best


def hint(word: str, known: Iterable[str], quote: str = "`") -> str:
    """`; did you mean ...?` with the nearest known word, or "" when none is near."""
    near = nearest(word, known)
    return f"; did you mean {quote}{near}{quote}?" if near else ""


def _edits(a: str, b: str) -> int:
    """Edit distance in which swapping two neighbours costs one."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]
