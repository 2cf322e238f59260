"""Warnings of pages that cannot be read because they need JavaScript."""

from __future__ import annotations

from django.db.models import F

from apps.crawls.models import Crawl
from apps.figures.quantities import number_of

MOST_SCRIPT_PAGES = 0.2
"""The share of pages that need JavaScript from which a crawl warns."""
SCRIPT_REMEDY = (
    "give as seeds pages that work without it, or record the site with a browser and upload the"
    " WARC."
)
LEAST_HOST_PAGES = 10
NAMED_HOSTS = 3


def script_warning(crawl: Crawl) -> str:
    """Advice if more than a fifth of the pages need JavaScript; else empty."""
    pages = int(crawl.metrics.get("needs_javascript") or 0)
    if not crawl.pages or pages <= MOST_SCRIPT_PAGES * crawl.pages:
        return ""
    return (
        f"{pages:,} of {number_of(crawl.pages, 'page')} need JavaScript, which is not run: they "
        f"have no text to judge and no links to follow. {_script_remedy(crawl)}"
    )


def _script_hosts(crawl: Crawl) -> list[str]:
    """Up to three hosts with ten pages or more of which over a fifth need JavaScript, most first,
    each with its numbers; none if the whole crawl is warned of."""
    if script_warning(crawl) or not crawl.metrics.get("needs_javascript"):
        return []
    share = MOST_SCRIPT_PAGES * F("pages")
    hosts = crawl.hosts.filter(pages__gte=LEAST_HOST_PAGES, needs_javascript__gt=share)
    return [
        f"{host.host}: {host.needs_javascript:,} of {host.pages:,} pages need JavaScript"
        for host in hosts.order_by("-needs_javascript", "host")[:NAMED_HOSTS]
    ]


def script_host_warning(crawl: Crawl) -> str:
    """Advice about hosts where more than a fifth of the pages need JavaScript; else empty."""
    hosts = _script_hosts(crawl)
    return f"{'; '.join(hosts)}. {_script_remedy(crawl)}" if hosts else ""


def _script_remedy(crawl: Crawl) -> str:
    if crawl.scope.get("render"):
        return SCRIPT_REMEDY[0].upper() + SCRIPT_REMEDY[1:]
    return f"Have a new crawl render such pages, {SCRIPT_REMEDY}"
