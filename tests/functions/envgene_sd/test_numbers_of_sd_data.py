"""A number of a structured `SD_DATA` that JSON does not know is reported at the number."""

from __future__ import annotations

import pytest

from tests.secrets.commands import krm

LIST = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: []
functionConfig:
  apiVersion: krm-values.dev/v1alpha1
  kind: EnvgeneSd
  spec:
    SD_SOURCE_TYPE: json
    SD_DATA:
      applications:
      - version: a:1
        weight: NUMBER
"""


@pytest.mark.parametrize("number", [".inf", "-.inf", ".nan"])
def test_the_place_is_that_of_the_number(number):
    done = krm("run", stdin=LIST.replace("NUMBER", number).encode())
    assert (done.code, b"stdin:12:17: must be a number that JSON can hold" in done.stderr) == (1, True), done.stderr
