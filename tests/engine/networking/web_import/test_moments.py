"""Moments as web archives write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from apps.engine.networking.web_import.moments import unix_seconds


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2016", (2016, 1, 1)),
        ("2016-03", (2016, 3, 1)),
        ("2016-01-11", (2016, 1, 11)),
        ("2016-01-11T23:24Z", (2016, 1, 11, 23, 24)),
        ("2016-01-11T23:24:25Z", (2016, 1, 11, 23, 24, 25)),
        ("2016-01-11T23:24:25.500000000Z", (2016, 1, 11, 23, 24, 25, 500_000)),
        ("20160111232425", (2016, 1, 11, 23, 24, 25)),
        ("2016-01-11 23:24:25+01:30", (2016, 1, 11, 21, 54, 25)),
        ("2016-01-11T23:24:25-0500", (2016, 1, 12, 4, 24, 25)),
    ],
)
def test_it_reads_a_moment_down_from_the_year(text: str, moment: tuple[int, ...]) -> None:
    assert unix_seconds(text) == datetime(*moment, tzinfo=UTC).timestamp()


@pytest.mark.parametrize("text", ["", "soon", "2016-13", "2016-02-30", "16", "1900"])
def test_what_is_no_moment_is_unknown(text: str) -> None:
    assert unix_seconds(text) == 0.0
