"""Crawls warn of pages that need JavaScript, with what to do."""

from __future__ import annotations

import pytest

from apps.crawls.script_warnings import script_host_warning
from tests.crawl_rows import made_crawl, made_host, made_topic
from tests.people import person


@pytest.mark.django_db
@pytest.mark.alike
def test_over_a_fifth_of_a_host_warns_with_the_host_and_the_remedy():
    crawl = made_crawl(made_topic(person("ada")), pages=200, metrics={"needs_javascript": 9})
    for host, pages, scripts in (("a", 10, 2), ("b", 20, 5), ("c", 9, 9), ("d", 10, 3)):
        made_host(crawl, f"{host}.test", pages=pages, needs_javascript=scripts)
    hosts = "b.test: 5 of 20 pages need JavaScript; d.test: 3 of 10 pages need JavaScript. "
    assert script_host_warning(crawl).startswith(hosts + "Have a new crawl render")
    crawl.scope = {"render": True}
    assert script_host_warning(crawl).startswith(hosts + "Give as seeds")
    crawl.metrics = {"needs_javascript": 50}  # the whole crawl is warned of
    assert script_host_warning(crawl) == ""
