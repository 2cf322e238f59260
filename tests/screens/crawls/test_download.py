"""From crawls chosen in the list to their downloads."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.sharing import share_with_everybody
from apps.crawls.models import Crawl
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.people import person, site_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(owner) -> Client:
    return site_of(owner)


def asked(site: Client, *crawls: object):
    numbers = ",".join(str(getattr(one, "pk", one)) for one in crawls)
    return site.get(reverse("crawls:download"), {"crawls": numbers}, follow=True)


def reports(answer) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


def test_one_crawl_leads_to_its_own_collection(site, crawl: Crawl):
    grow(crawl, 12)
    ((address, _),) = asked(site, crawl).redirect_chain
    assert address == f"/crawls/{crawl.pk}/collection/#download"


def test_several_of_a_topic_lead_to_the_pages_of_any_of_them(site, crawl: Crawl):
    others = [grow(made_crawl(crawl.topic), 12) for _ in range(2)]
    answer = asked(site, *others)
    ((address, _),) = answer.redirect_chain
    a, b = (one.pk for one in others)
    assert address == f"/topics/{crawl.topic_id}/collection/?crawl={a}&crawl={b}#download"
    assert 'id="download"' in answer.content.decode()


@pytest.mark.parametrize("crawls", [(), ("x",), (987654,)])
def test_what_is_no_crawl_leads_back_to_the_list(site, crawl: Crawl, crawls):
    answer = asked(site, *crawls)
    assert answer.redirect_chain[-1][0] == reverse("crawls:list") and reports(answer)


def test_crawls_of_different_topics_are_refused(site, owner, crawl: Crawl):
    other = made_crawl(made_topic(owner, "Tides"))
    assert reports(asked(site, crawl, other)) == [
        "Only crawls of one topic can be downloaded together."
    ]


def test_crawls_that_are_not_shared_are_as_if_they_were_not_there(site, crawl: Crawl):
    hers = made_crawl(made_topic(person("bo"), "Hers"))
    assert reports(asked(site, hers)) == ["Select crawls to download their pages."]
    assert asked(site, crawl, hers).redirect_chain[-1][0].startswith(f"/crawls/{crawl.pk}/")


def test_crawls_shared_without_their_topic_are_downloaded_one_by_one(site):
    topic = made_topic(person("bo"), "Hers")
    two = [made_crawl(topic), made_crawl(topic)]
    for one in two:
        share_with_everybody(one)
    refusal = "Their topic is not shared with you: download them one by one."
    assert reports(asked(site, *two)) == [refusal]
    assert asked(site, two[0]).redirect_chain[-1][0].startswith(f"/crawls/{two[0].pk}/")
