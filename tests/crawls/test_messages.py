"""Every code that a crawl can show has its words."""

from __future__ import annotations

import pytest

from apps.crawls import messages
from apps.engine.model import Exclusion, Need, StopReason


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (StopReason, messages.REASONS), (Need, messages.NEEDS), (Exclusion, messages.EXCLUSIONS),
    ],
)
def test_every_code_has_its_words(codes, words):
    assert set(words) == set(codes)
