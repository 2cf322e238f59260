"""The make-up of a host's pages."""

from __future__ import annotations

import pytest

from apps.collection.models import Entry, MainText
from apps.crawls.models import Page
from apps.dossiers.make_up import host_make_up, pattern_of
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("http://a.test/", "/"),
        ("http://a.test/p/17.html", "/p/#.html"),
        ("http://a.test/de/item-4711?page=2", "/de/item-#?page=#"),
    ],
)
def test_a_part_with_a_digit_is_a_number(url: str, pattern: str) -> None:
    assert pattern_of(url) == pattern


def test_a_host_of_one_template_is_flagged_and_stays() -> None:
    crawl = grow(made_crawl(made_topic(person("ada"))), 30)
    for page in Page.objects.filter(crawl=crawl):
        page.host, page.final_url, page.words = "a.test", f"http://a.test/p/{page.seq}.html", 100
        page.save()
        MainText.objects.create(page_id=page.pk, crawl=crawl, blocks=b"", words=10)
    first = Page.objects.filter(crawl=crawl).first()
    made = host_make_up("a.test", [crawl.pk])
    assert (made.pages, made.pattern, made.pattern_share) == (30, "/p/#.html", 1.0)
    assert made.template == pytest.approx(0.9) and made.near_duplicates == 0
    assert made.flags == ("mostly template", "addresses of one numbered pattern")
    MainText.objects.update(words=90)
    assert host_make_up("a.test", [crawl.pk]).flags == ("addresses of one numbered pattern",)
    assert host_make_up("b.test", [crawl.pk]).flags == ()
    assert first is not None and not Entry.objects.filter(page_id=first.pk).exists()
    assert Page.objects.filter(crawl=crawl).count() == 30
