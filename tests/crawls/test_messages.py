"""Every code that a crawl can show has its words."""

from __future__ import annotations

import pytest

from apps.crawls import messages
from apps.crawls.inputs.needs import strategy_needs
from apps.engine.codes import Exclusion, Need, StopReason


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (StopReason, messages.REASONS), (Need, strategy_needs()), (Exclusion, messages.EXCLUSIONS),
    ],
)
def test_every_code_has_its_words(codes, words):
    assert set(words) == set(codes)
