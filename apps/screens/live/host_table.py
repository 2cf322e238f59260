"""The table of a crawl's hosts, searched by name and ordered."""

from __future__ import annotations

from typing import Any

from django.db.models import ExpressionWrapper, F, FloatField, Q, QuerySet
from django.utils import timezone

from apps.crawls.models import Crawl, HostRecord

SHOWN = 100
WORST, BLOCKING = "worst", "blocking"


def context(crawl: Crawl, query: str, sort: str) -> dict[str, Any]:
    """The template context: the first hundred hosts, and their total."""
    records = _select_hosts(crawl, query.replace("\0", "").strip(), sort)
    return {
        "crawl": crawl,
        "hosts": list(records[:SHOWN]),
        "number": records.count(),
        "at": timezone.now(),
        "query": query,
    }


def _select_hosts(crawl: Crawl, query: str, sort: str) -> QuerySet[HostRecord]:
    records = HostRecord.objects.filter(crawl=crawl)
    if query:
        records = records.filter(host__icontains=query)
    if sort == BLOCKING:
        troubled = ~Q(blocked="") | Q(excluded=True) | Q(failures__gt=0)
        return records.filter(troubled).order_by("-failures", "host")
    if sort == WORST:
        judged = F("pages") - F("needs_javascript")
        share = ExpressionWrapper(F("relevant") * 1.0 / judged, FloatField())
        with_judged = records.filter(pages__gt=F("needs_javascript"))
        return with_judged.annotate(share=share).order_by("share", "-pages", "host")
    return records.order_by("-pages", F("waiting").desc(), "host")
