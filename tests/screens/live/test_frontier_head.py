"""The head of the frontier tells its links apart."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string

from apps.crawls.models import Crawl, Page
from apps.screens.live.frontier_head import queue_context, telling_digits
from tests.crawl_rows import grow

pytestmark = pytest.mark.alike


def test_priorities_have_as_many_decimals_as_they_differ_in() -> None:
    assert telling_digits([0.5, 0.25]) == ["0.500", "0.250"]
    assert telling_digits([0.90412, 0.90413, 0.5]) == ["0.90412", "0.90413", "0.50000"]
    assert telling_digits([0.9, 0.9]) == ["0.900", "0.900"]
    assert telling_digits([0.1 + 1e-9, 0.1]) == ["0.100000", "0.100000"]


@pytest.mark.django_db
def test_a_link_is_from_the_title_of_the_page_that_gave_its_priority(crawl: Crawl) -> None:
    grow(crawl, 3)
    Page.objects.filter(crawl=crawl, number=2).update(title="Rye & <wheat>")
    head = [
        {"number": 7, "url": "http://a.test/x", "priority": 0.5, "parent": parent, "parents": 1}
        for parent in (2, -1)
    ]
    context = queue_context(crawl, head)
    assert [entry["linked_from"] for entry in context["queue"]] == ["Rye & <wheat>", ""]
    html = render_to_string("live/frontier.html", {"crawl": crawl, "hosts": {}, **context})
    assert html.count('class="from"') == 1 and "from Rye &amp; &lt;wheat&gt;" in html


def test_a_long_address_keeps_its_end() -> None:
    template = Template("{% load addresses %}{% cut url %}")

    def cut(url: str) -> str:
        return template.render(Context({"url": url}))

    assert cut("https://a.test/b") == '<span class="begin">a.test/b</span><span></span>'
    long = cut("https://almanac.test/sourdough/archive/of/2014/rye-and-<b>.html")
    assert '<span class="begin">almanac.test/sourdough/archive/of/2014/</span>' in long
    assert "<span>rye-and-&lt;b&gt;.html</span>" in long
