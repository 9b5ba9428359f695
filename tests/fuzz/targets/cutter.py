"""Where items and documents begin and end, against libyaml's parse of the whole text."""

from __future__ import annotations

from tests.fuzz import corpus, cut, streams, truth
from tests.fuzz.target import Target


def seeds() -> list[bytes]:
    return [*cut.SEEDS, *streams.SEEDS, *corpus.lists(), *corpus.files()]


def check(data: bytes) -> str:
    """Both readings of one text."""
    streams.check(data)
    return truth.check(data)


TARGET = Target("cutter", seeds, check, [*cut.TOKENS, *streams.MORE * 2], is_yaml=True)
