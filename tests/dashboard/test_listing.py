from __future__ import annotations

from apps.crawls.models import Crawl
from apps.dashboard.listing import POINTS, crawl_rows, spaced
from tests.crawl_rows import grow, made_crawl


def test_it_spaces_numbers_evenly_with_both_ends() -> None:
    assert spaced(3) == [1, 2, 3]
    assert spaced(1000)[0] == 1 and spaced(1000)[-1] == 1000
    assert len(spaced(1000)) == POINTS


def test_rows_carry_sparklines_of_one_scale(crawl: Crawl) -> None:
    grow(crawl, 500)
    low = grow(made_crawl(crawl.topic), 500, harvest_rate=0.1)
    high, lower = crawl_rows([crawl, low])
    assert high.harvest.latest.startswith("6") and lower.harvest.latest.startswith("10")
    assert high.harvest.end_y < lower.harvest.end_y
    assert high.about.title == "Adaptive utility" and "δ = 0.7" in high.about.parameters


def test_a_crawl_without_samples_has_none(crawl: Crawl) -> None:
    (row,) = crawl_rows([crawl])
    assert (row.harvest.points, row.harvest.latest) == ("", "–")


def test_it_asks_the_same_number_of_queries_however_many_crawls(
    crawl: Crawl, django_assert_max_num_queries
) -> None:
    grow(crawl, 100)
    others = [grow(made_crawl(crawl.topic), 100) for _ in range(4)]
    crawls = list(Crawl.objects.select_related("topic", "web").filter(pk__in=[
        crawl.pk, *(other.pk for other in others)]))  # fmt: skip
    with django_assert_max_num_queries(2):
        crawl_rows(crawls)
