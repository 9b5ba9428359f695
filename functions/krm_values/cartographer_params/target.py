"""What is stamped: an owner, a template and the labels of the object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from krm_values._kit.planner.plan import New, Origin
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.templates import Template


@record
class Target:
    """What is stamped: for whom, in which step ("" of a Runnable), from which template, with which labels, after which objects.

    inputs: says where the values of other steps come from, by the names in a tag that mean them.
    """

    owner: Owner
    step: str
    template: Template
    labels: Mapping[str, str]
    is_mutable: bool
    feeds: tuple[New, ...] = ()
    inputs: Callable[[], Mapping[tuple[str, ...], Origin]] = dict

    @property
    def what(self) -> str:
        return f"the step `{self.step}`" if self.step else "its run template"
