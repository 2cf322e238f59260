"""The cost of each strategy on a web, relative to the baseline."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db.models import Sum

from apps.crawls.selectors import visible_crawls
from apps.experiments.selectors import cpu_a_page
from apps.webs.models import Web

BASELINE = "full_page"
LEAST_PAGES = 100
"""Shorter crawls tell too little."""


def strategy_costs(user: User, web: Web) -> dict[str, str]:
    """`1.4 ×` by strategy: its processor time a page against Full page's on that web, by the crawls
    that the person sees, or else by cells of experiments; without what was not measured."""
    crawls = visible_crawls(user).filter(web=web, pages__gte=LEAST_PAGES).order_by()
    sums = crawls.values("strategy").annotate(spent=Sum("cpu_seconds"), fetched=Sum("pages"))
    by_crawls = {row["strategy"]: row["spent"] / row["fetched"] for row in sums}
    return _against(cpu_a_page(web)) | _against(by_crawls)


def _against(spent: Mapping[str, float]) -> dict[str, str]:
    base = spent.get(BASELINE)
    return {id: f"{own / base:.1f} ×" for id, own in spent.items() if own} if base else {}
