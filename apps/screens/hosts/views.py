"""The list of a topic's hosts."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from apps.accounts.requests import SignedInRequest
from apps.crawls.models import Crawl
from apps.hosts.filters.unit import UNIT
from apps.hosts.listing import HostListing, HostSearch
from apps.hosts.models import HostGrouping, HostSummary
from apps.hosts.tasks import refresh
from apps.screens.hosts.network import connected_hosts, is_by_words
from apps.screens.hosts.words import DECISIONS, last_act
from apps.topics.selectors import editable_topics, visible_topics

HEADS = (
    ("name", "Host"),
    ("number", "Pages"),
    ("number", "Relevant"),
    ("harvest", "Harvest"),
    ("number linked", "Linked from"),
    ("text", "Text"),
    ("number seen", "First seen"),
    ("number waiting", "Waiting"),
)
CRAWLS_NAMED = 4
LINKS = 100


def host_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """The hosts that the crawls of a topic have met, filtered and ordered by the address."""
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    counted = refresh(topic)
    search = HostSearch.read(request.GET)
    listing = HostListing(topic, search)
    page = listing.page(request.GET.get("page"))
    rows = HostSummary.objects.select_related("make_up").in_bulk(page.object_list)
    crawls = list(Crawl.objects.filter(topic=topic).order_by("pk").values_list("pk", flat=True))
    context: dict[str, Any] = {
        "topic": topic,
        "listing": listing,
        "misread": search.misread(request.GET),
        "page": page,
        "rows": [rows[key] for key in page if key in rows],
        "heads": [(css, listing.head(words)) for css, words in HEADS],
        "units": _units(search),
        "decisions": DECISIONS,
        "counted": counted,
        "crawls": crawls,
        "crawls_named": crawls[-CRAWLS_NAMED:],
        "undecided": listing.totals["rows"] - listing.totals["inside"] - listing.totals["outside"],
        "may_change": editable_topics(request.user).filter(pk=pk).exists(),
        "last": last_act(topic, request.user),
    }
    return render(request, "hosts/list.html", context)


def link_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """The links between hosts as a table, those with the most pages behind them first, or the hosts
    whose pages have words in common, the most alike first."""
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    refresh(topic)
    by_words = is_by_words(request)
    network = connected_hosts(topic, by_words)
    page = Paginator(network.edges, LINKS).get_page(request.GET.get("page"))
    nodes = network.nodes
    rows = [(nodes[source], nodes[target], number) for source, target, number in page]
    context = {"topic": topic, "page": page, "rows": rows, "by_words": by_words}
    return render(request, "hosts/links.html", context)


def _units(search: HostSearch) -> list[tuple[str, str, bool]]:
    """(words, query string, whether it is chosen) of each unit."""
    chosen = search.of(UNIT)
    return [
        (unit.label, search.having(UNIT, unit.value).query(), unit.value == chosen)
        for unit in HostGrouping
    ]
