"""One text behind ever new redirects: a log-in page, a parking page, a notice.

Closed pages redirect to `/login?next=/item/1`, parked domains to `/sale?domain=a.test`. When five
addresses that differ only in the value of one parameter have brought the same text, further
redirects to such an address are not followed. A text that differs once ends this for good. Words
that come from the query are left out of the text, since such pages print them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from apps.engine.frontier.page_text import mark_of

ENOUGH = 5
MOST_PARAMETERS = 8
MOST_ADDRESSES = 5_000
_DIFFERS = -1
_RUN = re.compile(r"[^\W_]+")


class RedirectTexts:
    """The texts behind the redirects of a crawl: by address without one value, the text and how
    many values have brought it."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[int, int]] = {}

    def learn(self, final_url: str, words: Sequence[str]) -> None:
        """Learns from the page of a redirect."""
        query = final_url.partition("?")[2]
        if not query:
            return
        own = set(_RUN.findall(query.lower()))
        mark = mark_of(" ".join(sorted(set(words) - own)))
        for key in _without_each_value(final_url):
            text, times = self._texts.pop(key, (mark, 0))
            same = times != _DIFFERS and text == mark
            self._texts[key] = text, times + 1 if same else _DIFFERS
        while len(self._texts) > MOST_ADDRESSES:
            del self._texts[next(iter(self._texts))]

    def is_known(self, url: str) -> bool:
        """Whether the target of a redirect would bring a text that the crawl has five times."""
        return "?" in url and any(
            self._texts.get(key, (0, 0))[1] >= ENOUGH for key in _without_each_value(url)
        )

    def state(self) -> list[list[int]]:
        """The state as plain values."""
        return [[key, *text] for key, text in self._texts.items()]

    def restore(self, state: Sequence[Sequence[Any]]) -> None:
        """Restores what `state` returned."""
        self._texts = {key: (text, times) for key, text, times in state}


def _without_each_value(url: str) -> Iterator[int]:
    """Hashes of the address without the value of its first parameter, of its second, …"""
    page, _, query = url.partition("?")
    parameters = query.split("&")
    for i, parameter in enumerate(parameters[:MOST_PARAMETERS]):
        name = parameter.partition("=")[0]
        yield mark_of("&".join((page, *parameters[:i], name, *parameters[i + 1 :])))
