"""Which values must not be shown: those in Secrets, also in one that another resource holds, and those that come from one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._krm.item import Item, is_secret
from krm_values._krm.taint import APPLIED, SHOWN, may_be_nested
from krm_values._run.texts import is_in_secret

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._krm.plan import New
    from krm_values._run.state import Decision


def hides_leaf(decision: Decision) -> bool:
    """Return whether the decided value by itself must not be shown: in a generated Secret, the value of a ConfigMap may be."""
    leaf = decision.leaf
    if leaf is None or leaf.inner is None or isinstance(decision.item, Item):
        return hides_after(decision)
    return is_from_secret(decision) or in_nested(decision.item, decision.path)


def hides_after(decision: Decision) -> bool:
    """Return whether the decided value must not be shown."""
    item = decision.item
    in_secret = is_secret(item) if isinstance(item, Item) else item.is_secret
    return in_secret or is_from_secret(decision) or in_nested(item, decision.path)


def is_from_secret(decision: Decision) -> bool:
    """Return whether the decided value comes from a Secret, wherever it is."""
    return decision.secret or (decision.leaf is not None and decision.leaf.origin.secret)


def hides_before(decision: Decision) -> bool:
    """Return whether the earlier value must not be shown, since an earlier run may have written it."""
    return hides_after(decision) or (decision.leaf is not None and any(origin.secret for origin in decision.leaf.overridden))


def is_open(item: Item | New, path: Path) -> bool:
    """Return whether a field of a Secret says what it is, not what it holds."""
    secret = is_secret(item) if isinstance(item, Item) else item.is_secret
    return secret and bool(path) and path[0] in SHOWN and APPLIED not in path


def in_nested(item: Item | New, path: Path, inner: Path | None = None) -> bool:
    """Return whether a place of an object is in the values of a Secret that the object, or its text there, contains. Read only where that may be."""
    return may_be_nested(path, inner) and is_in_secret(item.data, path, inner)
