"""The state of a page after a visit, by rules.

A page is gone if it was not there at two visits at least a day apart (404 or 410), or if its
address leads to the start page or to a page that says that there is none. One that did not answer
is not reached, however long.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import NamedTuple

from apps.engine.codes import Failure
from apps.watches.addresses import is_start_page
from apps.watches.models import PageState

DAY = timedelta(days=1)
MISSING = frozenset({"http_404", "http_410"})
SOFT = "soft_404"
"""The code of a page that is gone although its site answers with another one."""
LONGEST_NOTICE = 80
"""Words of a page that says that there is none."""
_NOTICE = re.compile(
    r"\b404\b|\b410\b|not found|no longer (?:available|exists?)|does(?: not|n.t) exist"
    r"|page (?:you (?:are|were) looking for|is gone|has been removed)|nicht gefunden"
    r"|existiert nicht|introuvable|n.existe (?:pas|plus)|no encontrad|no existe|non trovata"
    r"|não encontrada|niet gevonden",
    re.IGNORECASE,
)


class Sighting(NamedTuple):
    """The state of a page and its code, and since when it has been missing, if it is."""

    state: PageState
    code: str = ""
    missing_since: datetime | None = None


def after_failure(code: str, url: str, final_url: str, before: Sighting, at: datetime) -> Sighting:
    """The state after a request that gave no page; `before` is the last one."""
    if code == Failure.NOT_MODIFIED:
        return Sighting(PageState.SAME, code)
    if code == Failure.REDIRECT_TO_KNOWN:
        if leads_to_start(url, final_url):
            return Sighting(PageState.GONE, SOFT, before.missing_since or at)
        return Sighting(PageState.SAME, code)
    if code in MISSING:
        return _missing(code, before, at)
    return Sighting(PageState.NOT_REACHED, code, before.missing_since)


def _missing(code: str, before: Sighting, at: datetime) -> Sighting:
    since = before.missing_since or at
    if before.state == PageState.GONE or at - since >= DAY:
        return Sighting(PageState.GONE, code, since)
    return Sighting(PageState.NOT_REACHED, code, since)


def leads_to_start(url: str, final_url: str) -> bool:
    """Whether the address of a page leads to a start page."""
    return final_url != url and is_start_page(final_url) and not is_start_page(url)


def is_notice(title: str, text: str, words: int) -> bool:
    """Whether a page that was answered says that there is none."""
    return words <= LONGEST_NOTICE and _NOTICE.search(f"{title}\n{text}") is not None
