from __future__ import annotations

from django.template.loader import render_to_string

from apps.crawls.models import Crawl, Page
from apps.screens.live.heat import Heat, heat_map, step
from apps.screens.live.live_state import read
from tests.crawl_rows import grow, made_page


def test_pages_are_counted_in_tenths_and_one_belongs_to_the_last() -> None:
    heat = Heat()
    heat.extend(4, [(0.0, 3.0, 2), (10.0, 10.0, 1), (None, 3.0, 5)])
    heat.extend(9, [(0.0, 3.0, 1)])
    assert heat.counts[3][0] == 3 and heat.counts[9][9] == 1
    assert (heat.seq, heat.known, heat.unknown) == (9, 4, 5)


def test_steps_grow_as_the_legend_says() -> None:
    assert [step(n) for n in (0, 1, 4, 5, 20, 75, 250)] == [0, 1, 1, 2, 3, 4, 5]
    assert [words for _, words in heat_map(Heat()).legend] == [
        "0", "1–4", "5–19", "20–74", "75–249", "250+"]


def test_the_database_counts_at_first_and_only_what_is_new_later(crawl: Crawl) -> None:
    grow(crawl, 30)
    Page.objects.filter(crawl=crawl, seq=1).update(topicality=1.0, status=0.05)
    Page.objects.filter(crawl=crawl, seq=2).update(status=None)
    first = read(crawl.pk)
    assert first.heat.counts[0][9] == 1 and first.heat.counts[6][8] == 28
    assert first.heat.unknown == 1
    # A page that a commit under way has written is not counted twice.
    made_page(crawl, 31).save()
    again = read(crawl.pk, first)
    assert again.heat.known == 29
    Crawl.objects.filter(pk=crawl.pk).update(pages=31)
    assert read(crawl.pk, again).heat.known == 30


def test_the_picture_says_itself_in_words_and_as_a_table(crawl: Crawl) -> None:
    grow(crawl, 100)
    heat = read(crawl.pk).heat
    text = render_to_string("live/map.html", {"map": heat_map(heat), "crawl": crawl})
    assert "100 pages by topicality and status; most of them, 100, at τ 0.80 to 0.90" in text
    assert text.count("<rect") >= 100 and "As table" in text
    empty = render_to_string("live/map.html", {"map": heat_map(Heat()), "crawl": crawl})
    assert "in-link counts" in empty
