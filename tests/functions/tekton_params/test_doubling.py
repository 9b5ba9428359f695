"""A value that each pipeline in a pipeline writes twice: what it becomes is not known, instead of filling the memory."""

from __future__ import annotations

from tests.growth import tekton
from tests.growth.lists import listed, whole


def test_a_text_that_doubles_from_pipeline_to_pipeline_is_read():
    inner = [tekton._task("t", "$(params.param-0)")]
    for level in range(40):
        doubled = [{"name": "param-0", "value": "$(params.param-0)$(params.param-0)"}]
        inner = [{"name": f"p{level}", "params": doubled, "pipelineSpec": {"tasks": inner}}]
    whole(tekton.NAME, listed([tekton._run([tekton._param(0)], inner)], tekton.NAME, mode="propagate"))()
