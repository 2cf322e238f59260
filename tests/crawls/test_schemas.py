"""The settings of a crawl: what its rules may cost."""

from __future__ import annotations

import pytest

from apps.crawls.schemas import MOST_PATTERN_CHARACTERS, MOST_PATTERNS, ScopeRules
from apps.schemas.refused import Refused


@pytest.mark.parametrize(
    "patterns",
    [["*/x/*"] * (MOST_PATTERNS + 1), ["*" + "x" * 1_000] * (MOST_PATTERN_CHARACTERS // 1_000)],
)
def test_patterns_that_would_cost_every_link_too_much_are_refused(patterns: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        ScopeRules.read({"deny_patterns": patterns})
    assert refused.value.field == "deny_patterns"
    assert "up to 1,000 patterns, together of up to 20,000 characters" in refused.value.message


def test_as_many_as_are_allowed_are_accepted() -> None:
    patterns = [f"*/p{number}/*" for number in range(MOST_PATTERNS)]
    assert ScopeRules.read({"deny_patterns": patterns}).deny_patterns == tuple(patterns)
