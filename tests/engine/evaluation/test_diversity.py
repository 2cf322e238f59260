from __future__ import annotations

from apps.engine.evaluation.diversity import Diversity, PagesPerSite
from tests.engine.evaluation.judged import after_pages, judged

PAGES = [
    judged("http://www.alpha.co.uk/1"),
    judged("http://alpha.co.uk/2"),
    judged("http://127.0.0.1/3"),
    judged("http://localhost/4"),
]


def test_hosts_of_one_registered_domain_are_one_site():
    assert after_pages(Diversity(), *PAGES).value() == 3


def test_the_site_is_the_one_that_answered():
    moved = [
        judged(f"http://h{i}.short.org/", final_url=f"http://site{i % 2}.org/{i}") for i in range(4)
    ]
    assert after_pages(Diversity(), *moved).value() == 2
    assert after_pages(PagesPerSite(), *moved).value() == 2


def test_pages_are_shared_among_the_sites():
    assert after_pages(PagesPerSite(), *PAGES).value() == 4 / 3
