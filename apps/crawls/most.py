"""The largest settings of a crawl, and the requests that a page may take unless it is set."""

from __future__ import annotations

MOST_PAGES = 10_000_000
MOST_HOURS = 10_000
MOST_SLOPE = 1_000
REQUESTS_A_PAGE = 5
