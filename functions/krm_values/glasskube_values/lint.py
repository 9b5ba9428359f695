"""What is wrong with a manifest, told without a Package."""

from __future__ import annotations

from krm_values._kit.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._kit.data import JSON
    from krm_values._kit.pointer import Path


@record
class Fault:
    """One thing that is wrong or odd.

    severity: `error` or `warning`. kind: `manifest`, `pattern`, `template`, `template-json`, `op`, `pointer`, `bounds`, `default`,
    `options` (errors); `slash`, `duplicate`, `if-boolean`, `text-boolean`, `api-group`, `dead-target`, `unknown-key` (warnings).
    rule: the spec's number. definition: the value definition's name, "" outside of them. path: the place in the manifest.
    """

    severity: str
    kind: str
    rule: str
    definition: str
    path: Path
    message: str


def check(manifest: JSON, resources: Sequence[JSON] | None = None) -> tuple[Fault, ...]:
    """All faults of a manifest, in the order of the manifest.

    resources: the plain resources beside it; without them resource targets that match nothing are not told.
    """
    return ()
