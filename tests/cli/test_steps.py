"""Which steps of a pipeline are ours."""

from __future__ import annotations

import pytest

from krm_values._data.errors import InputError
from krm_values._krm.kptfile import Step
from krm_values._run.calls import Call, call_of


def step(*, image: str = "", program: str = "") -> Step:
    return Step(("pipeline", "mutators", 0), {"": (6, 5)}, image, program, "", "", None, (), ())


@pytest.mark.parametrize(
    ("image", "function"),
    [
        ("tekton-params", "tekton-params"),
        ("tekton-params:v0.1.0", "tekton-params"),
        ("registry.example:5000/team/tekton-params:v0.1", "tekton-params"),
        ("registry.example/tekton-params@sha256:" + "0" * 64, "tekton-params"),
        ("registry.example/tekton-params:v1@sha256:" + "0" * 64, "tekton-params"),
        ("registry.example/krm-values:v0.1", ""),
    ],
)
def test_an_image_is_ours_by_its_last_path_segment(image, function):
    assert call_of(step(image=image)) == Call(function, hermetic=True)


@pytest.mark.parametrize(
    ("program", "function"),
    [
        ("krm-tekton-params", "tekton-params"),
        ("/opt/venv/bin/krm-tekton-params", "tekton-params"),
        ("'/opt/my venv/bin/krm-tekton-params'", "tekton-params"),
        ("krm-values run", ""),
        ("krm-values run tekton-params", "tekton-params"),
        ("./bin/krm-values  run  'tekton-params'", "tekton-params"),
        ("kubectl-krm_values run", ""),
    ],
)
def test_a_program_is_ours_by_the_name_of_its_first_word(program, function):
    assert call_of(step(program=program)) == Call(function, hermetic=False)


@pytest.mark.parametrize("image", ["set-labels:v0.1", "tekton-params/other", "my-tekton-params", "krm-tekton-params"])
def test_other_images_are_not_ours(image):
    assert call_of(step(image=image)) is None


@pytest.mark.parametrize("program", ["cat", "my-fn krm-tekton-params", "krm-no-such-function", " ", "sh -c 'krm-values run'"])
def test_other_programs_are_not_ours(program):
    assert call_of(step(program=program)) is None


@pytest.mark.parametrize(
    ("program", "must"),
    [
        ("krm-values", "`krm-values run [FUNCTION]`"),
        ("krm-values render .", "`krm-values run [FUNCTION]`"),
        ("krm-values run tekton-params a.yaml", "`krm-values run [FUNCTION]`"),
        ("krm-values run --config a.yaml", "`krm-values run [FUNCTION]`"),
        ("krm-tekton-params config.yaml", "`krm-tekton-params`"),
    ],
)
def test_our_commands_with_arguments_of_another_use_are_an_error(program, must):
    with pytest.raises(InputError) as caught:
        call_of(step(program=program))
    assert caught.value.message == f'`pipeline.mutators[0].exec`: must be {must} in a pipeline; found string "{program}"'


def test_a_command_line_that_no_shell_would_read_is_an_error():
    with pytest.raises(InputError, match='must be a command line; found string "krm-values \'run" '):
        call_of(step(program="krm-values 'run"))
