"""What may be written where: no identities, no values of Secrets where others read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get, to_field
from krm_values._krm import hosts
from krm_values._krm.item import is_secret
from krm_values._run.traced import origin
from krm_values.layered_values.tree import scalars

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._krm.item import Item
    from krm_values._run.traced import Assigned, Node
    from krm_values.layered_values.tree import Layer

READABLE = "holds values from Secrets, which anybody who reads this list can read"
_IDENTITY = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))
_ANNOTATIONS = ("metadata", "annotations")


class FieldError(Exception):
    """A value that cannot be written. `{found}` in the message is replaced by the value of `leaf`, hidden if it comes from a Secret.

    path: the field, if it is not the requested one.
    """

    def __init__(self, kind: str, rule: str, message: str, leaf: Assigned | None = None, path: Path | None = None) -> None:
        super().__init__(message)
        self.kind, self.rule, self.message, self.leaf, self.path = kind, rule, message, leaf, path


def check_identity(path: Path) -> None:
    """Raise FieldError for the identity and the status of a resource, and for annotations of hosts and krm-values."""
    is_identity = any(path[: len(one)] == one or one[: len(path)] == path for one in _IDENTITY) or path[:1] == ("status",)
    if is_identity:
        text = "is never written: it says what the resource is, or belongs to the cluster; take it out of `fields` and edit the file"
        raise FieldError("identity", "70", text)
    if path[:2] == _ANNOTATIONS and len(path) > 2 and hosts.is_hidden(str(path[2])):
        raise FieldError("identity", "70", "is never written: hosts and krm-values keep their own there")


def check_metadata(item: Item, path: Path) -> None:
    """Raise FieldError for a field of metadata that is null: the undo record would be in the value that it restores."""
    if path[:1] == ("metadata",) and not isinstance(get(item.data, ("metadata",)), dict):
        raise FieldError("identity", "70", "is not written: `metadata` of the resource is not a map; give the resource a name")


def check_annotations(path: Path, value: Any) -> None:
    """Apply `check_identity` to each key of a whole map of annotations."""
    for key in value if path == _ANNOTATIONS and isinstance(value, dict) else ():
        check_identity((*path, key))


def check_public(node: Node, path: Path) -> None:
    """Raise FieldError if a value, which is at a path of the document, comes from a Secret."""
    for inner, leaf in scalars(node):
        if origin(leaf).secret:
            found, field = origin(leaf), to_field((*path, *inner))
            layer = next((one.layer for one in found.trail() if one.in_secret), found.layer)
            advice = "write it into a Secret, or set `allowSecrets: true`"
            raise FieldError("secret", "110", f"would get `{field}`, which comes from the Secret of layer {layer}: {advice}")


def comes_out_of_secret(node: Node) -> bool:
    """Return whether a value, or a part of it, comes from a Secret."""
    return any(origin(leaf).secret for _, leaf in scalars(node))


def check_not_read(item: Item, path: Path, layers: Iterable[Layer]) -> None:
    """Raise FieldError if a layer reads the field of a Secret that is written."""
    if not is_secret(item) or path[:1] not in (("data",), ("stringData",)):
        return
    for layer in layers:
        reads = layer.reads
        if layer.item is item and (reads[: len(path)] == path or path[: len(reads)] == reads):
            text = f"is read by layer {layer.name} and also written, but a Secret's old values are not recorded"
            raise FieldError("secret-read", "104", text)


def lost(current: Any, value: Any, path: Path) -> Iterator[Path]:
    """Yield the keys of a map that another one lacks."""
    if isinstance(current, dict) and isinstance(value, dict):
        for key, below in current.items():
            if key not in value:
                yield (*path, key)
            else:
                yield from lost(below, value[key], (*path, key))
