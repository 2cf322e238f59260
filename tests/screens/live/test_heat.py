from __future__ import annotations

from django.template.loader import render_to_string

from apps.crawls.heat import Heat
from apps.crawls.models import Crawl
from apps.screens.live.heat import heat_map, step
from tests.crawl_rows import grow


def test_steps_grow_as_the_legend_says() -> None:
    assert [step(n) for n in (0, 1, 4, 5, 20, 75, 250)] == [0, 1, 1, 2, 3, 4, 5]
    assert [words for _, words in heat_map(Heat()).legend] == [
        "0",
        "1–4",
        "5–19",
        "20–74",
        "75–249",
        "250+",
    ]


def test_the_picture_stands_in_words_and_as_a_table(crawl: Crawl) -> None:
    grow(crawl, 100)
    heat = Heat.of(crawl.heat)
    text = render_to_string("live/map.html", {"map": heat_map(heat), "crawl": crawl})
    assert "100 pages by topicality and status; most of them, 100, at τ 0.80 to 0.90" in text
    assert text.count("<rect") >= 100 and "As table" in text
    empty = render_to_string("live/map.html", {"map": heat_map(Heat()), "crawl": crawl})
    assert "in-link counts" in empty
