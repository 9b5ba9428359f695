"""A few of the random lists and packages: `python -m tests.secrets.attacks --count 20000 --packages 1000` tries more of them."""

from __future__ import annotations

import pytest

from tests.secrets.attacks import of_list, of_package


@pytest.mark.parametrize("seed", range(15))
def test_no_list_and_no_package_shows_a_secret(seed, tmp_path):
    for number in range(20):
        of_list(f"{seed}/list/{number}")
    of_package(f"{seed}/package/0", tmp_path)
