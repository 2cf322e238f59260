from __future__ import annotations

from apps.crawls.models import Crawl, Page
from apps.engine.intelligence.strategies.weighted_evidence import SHIPPED
from apps.screens.live.fragments import fragments
from apps.screens.live.learned import learned
from apps.screens.live.live_state import read
from tests.crawl_rows import grow


def test_weights_are_shown_beside_those_shipped_the_greatest_first(crawl: Crawl) -> None:
    assert learned(read(crawl.pk)) is None and "learned" not in fragments(read(crawl.pk))
    Crawl.objects.filter(pk=crawl.pk).update(strategy="learner", parameters={})
    assert "First weights with the first page" in fragments(read(crawl.pk))["learned"]
    grow(crawl, 20)
    now = {f"weight_{part}": weight for part, weight in (SHIPPED | {"window": 3.0}).items()}
    Page.objects.filter(crawl=crawl, seq=20).update(telemetry=now | {"start": -1.0})
    first, second, *_ = learned(read(crawl.pk)).weights
    assert (first.title, first.now, first.shipped, first.width) == ("Window", 3.0, 0.15, 1.0)
    assert (second.title, second.width, second.tick) == ("Siblings", 0.5, 0.5)
    text = fragments(read(crawl.pk))["learned"]
    assert "Weights after page 20" in text and '<span class="now">3.00</span>' in text


def test_it_names_what_guides_a_crawl_without_examples(crawl: Crawl) -> None:
    Crawl.objects.filter(pk=crawl.pk).update(strategy="learner", parameters={})
    grow(crawl, 20)
    now = {f"weight_{part}": weight for part, weight in SHIPPED.items()}
    for basis, words in ((0, "Guided by your words."), (1, "what it has learned from its own")):
        Page.objects.filter(crawl=crawl, seq=20).update(telemetry=now | {"basis": basis})
        assert words in fragments(read(crawl.pk))["learned"]
    Page.objects.filter(crawl=crawl, seq=20).update(telemetry=now | {"basis": 2.0})
    assert "Guided" not in fragments(read(crawl.pk))["learned"]
