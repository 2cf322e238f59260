"""The place of an address, and what an address that was made to be expensive costs."""

from __future__ import annotations

import pytest

from apps.engine.frontier.places import place_of


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://h.test/calendar/2026/11", "h.test/calendar/#/#"),
        ("http://h.test/v1.2/page7.html", "h.test/#.#/#.html"),
        ("http://h.test/shop?color=1", "h.test/shop?color"),
        ("http://h.test/a/b/c/d", "h.test/a/…"),
        ("http://h.test/" + "x" * 500_000, "h.test/" + "x" * 500_000),
    ],
)
def test_the_place_of_an_address(url: str, place: str) -> None:
    assert place_of(url) == place
