"""File names of the objects that are written for an owner."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krm_values.cartographer_params.owner_reader import Owner

REPORT = "params"
_OTHERS = re.compile(r"[^A-Za-z0-9._-]")


def of_step(owner: Owner, step: str) -> str:
    """Return the file of a step's object; without a step, of a Runnable's object."""
    return _file(owner, f"{step}-step" if step == REPORT else step or "run")


def of_report(owner: Owner) -> str:
    """Return the file of the owner's ResolvedParams."""
    return _file(owner, REPORT)


def _file(owner: Owner, name: str) -> str:
    folders = [owner.namespace, f"{owner.kind.lower()}-{owner.name}", name]
    return "/".join(["cartographer", *(_OTHERS.sub("-", part) for part in folders if part)]) + ".yaml"
