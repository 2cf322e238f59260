"""Whether another default would find more."""

from __future__ import annotations

import pytest

from apps.research.effectiveness.strategies.settings_section import settings_section
from tests.research.effectiveness.made_results import around, result

COMBO = "Text window combo, β 0.25, parents {}".format


def written(*by_web: tuple[float, float]) -> str:
    """The section on webs on which the combo finds so much with the mean and with the best."""
    webs = [
        result(
            f"web{position}",
            0.5,
            0.5,
            **{COMBO("mean"): around(mean, 0.03), COMBO("max"): around(best)},
        )
        for position, (mean, best) in enumerate(by_web)
    ]
    return settings_section(webs)


def row(text: str, crawler: str) -> list[str]:
    line = next(line for line in text.splitlines() if f"| {crawler} |" in line)
    return line.split(" | ")[2:]


def test_a_value_that_is_ahead_on_every_web_is_to_be_the_default():
    text = written((0.44, 0.4), (0.55, 0.5))
    # .44/.4 and .55/.5; better on all 16 topics.
    assert row(text, COMBO("mean"))[:3] == ["1.10", "1.10", "16, 0"]
    assert "more with 1 of 2 crawlers, less with 0; on every web. So it is the default." in text


def test_a_value_that_finds_less_on_one_web_is_not():
    text = written((0.5, 0.4), (0.45, 0.5))
    assert row(text, COMBO("mean"))[:3] == ["1.25", "0.90", "8, 8"]
    assert "it finds less with some crawler on web1. So the default stays." in text


def test_a_crawler_that_was_not_run_with_both_values_has_no_row():
    with pytest.raises(StopIteration):
        row(written((0.44, 0.4)), "Tag tree combo, β 0.5, parents max")
