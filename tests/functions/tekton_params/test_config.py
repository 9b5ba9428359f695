"""The functionConfig."""

from __future__ import annotations

import pytest

from krm_values._krm.model import validate
from krm_values.tekton_params import function
from krm_values.tekton_params.config import TektonParams


def test_the_defaults():
    config, mistakes = validate(TektonParams, {})
    assert mistakes == []
    assert config is not None
    assert (config.mode, config.references, config.reference_defaults, config.strict) == ("implicit", False, False, False)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"referenceDefaults": True}, [((), "`referenceDefaults` needs `references: true`")]),
        (
            {"mode": "explicit"},
            [(("mode",), 'must be one of `implicit`, `propagate`; found string "explicit"; did you mean `implicit`?')],
        ),
        ({"references": "true"}, [(("references",), 'must be true or false; found string "true"')]),
        (
            {"strct": True},
            [
                (
                    ("strct",),
                    "must be one of `mode`, `references`, `referenceDefaults`, `strict`, `record`, `check`; did you mean `strict`?",
                )
            ],
        ),
    ],
)
def test_a_mistake(spec, expected):
    assert validate(TektonParams, spec) == (None, expected)


def test_the_function_is_called_as_its_folder():
    assert function.name == "tekton-params"
    assert function.load_model() is TektonParams
