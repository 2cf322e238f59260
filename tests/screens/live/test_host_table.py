"""The hosts of a crawl: those that nobody judged have no harvest, and are not the worst."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.html import strip_tags

from apps.crawls.models import Crawl
from apps.screens.live import host_table
from tests.crawl_rows import made_crawl, made_host, made_topic
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def crawl() -> Crawl:
    crawl = made_crawl(made_topic(person("ada")))
    made_host(crawl, "script.test", pages=4, needs_javascript=4)
    made_host(crawl, "half.test", pages=4, needs_javascript=2, relevant=1)
    made_host(crawl, "none.test", pages=4)
    made_host(crawl, "new.test", pages=0)
    return crawl


def rows(client: Client, crawl: Crawl) -> dict[str, str]:
    client.force_login(crawl.owner)
    html = client.get(f"/crawls/{crawl.pk}/hosts/").content.decode()
    lines = [
        " ".join(strip_tags(line.replace("<", " <")).split()) for line in html.split("<tr>")[2:]
    ]
    return {line.split(" ")[0]: line for line in lines}


def test_the_harvest_is_of_the_judged_pages(client: Client, crawl: Crawl) -> None:
    seen = rows(client, crawl)
    assert "50 %" in seen["half.test"] and " 0 %" in seen["none.test"]
    assert "not judged" in seen["script.test"] and "%" not in seen["script.test"]
    assert "not judged" not in seen["new.test"] and "%" not in seen["new.test"]


def test_a_crawl_without_a_judge_has_no_harvest(client: Client, crawl: Crawl) -> None:
    Crawl.objects.filter(pk=crawl.pk).update(judged_by="none")
    seen = rows(client, crawl)
    assert not any("%" in line for line in seen.values())
    items = client.get(f"/api/v1/crawls/{crawl.pk}/hosts").json()["items"]
    assert {item["relevant"] for item in items} == {None}


def test_the_worst_hosts_are_among_those_with_judged_pages(crawl: Crawl) -> None:
    worst = host_table.context(crawl, "", host_table.WORST)["hosts"]
    assert [record.host for record in worst] == ["none.test", "half.test"]
