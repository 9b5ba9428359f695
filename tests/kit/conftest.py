"""Fixtures of several modules."""

from __future__ import annotations

import pytest

from krm_values._krm import resourcelist


@pytest.fixture(params=["scan", "events"])
def level(request, monkeypatch):
    """Each of the two levels at which lists are read is tried first."""
    monkeypatch.setattr(resourcelist, "SMALL", 0 if request.param == "scan" else 1 << 40)
