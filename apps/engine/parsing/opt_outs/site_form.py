"""The interface of a form of opt-out in a file of a site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from apps.engine.events import SiteSign
from apps.engine.parsing.opt_outs.form import LONGEST_TEXT

LONGEST_RULES = 20_000
WHOLE_SITE = "Disallow: /"
SiteSignParts = tuple[str, bool, str]
"""What a sign says as written, whether that reserves something, and its rules."""


@dataclass(frozen=True, slots=True)
class SiteForm:
    """A form. `path` is that of its file at the root of an origin; `read` yields the signs of the
    file's text."""

    id: str
    title: str
    sentence: str
    path: str
    read: Callable[[str], Iterator[SiteSignParts]]

    def signs(self, text: str) -> Iterator[SiteSign]:
        """The signs of this form, without control characters."""
        for says, reserves, rules in self.read(text):
            shown = " ".join(says.split())[:LONGEST_TEXT]
            yield SiteSign(self.id, self.path, shown, reserves, rules[:LONGEST_RULES])
