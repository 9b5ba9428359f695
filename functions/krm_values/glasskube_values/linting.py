"""What lint finds in a manifest, told in a run as warnings."""

from __future__ import annotations

from krm_values.glasskube_values import lint
from krm_values.glasskube_values.fields import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.plan import Finding
    from krm_values.glasskube_values.candidates import Candidate
    from krm_values.glasskube_values.config import GlasskubeValues

_OWN = ("manifest", "unknown-key")


def warnings(candidate: Candidate, config: GlasskubeValues, said: list[Finding]) -> Iterator[Finding]:
    """The faults of a manifest that somebody takes, but for those that the run itself has said."""
    if config.profile == "upstream" or candidate.manifest is None:
        return
    for fault in lint.check(candidate.data):
        if fault.kind in _OWN or (fault.kind == "text-boolean" and config.typed):
            continue
        yield candidate.finding(Fault("warning", fault.kind, fault.rule, fault.path, fault.message))
