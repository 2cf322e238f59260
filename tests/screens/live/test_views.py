"""The live page: what it shows to whom."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from apps.accounts.sharing import share
from apps.crawls.labels.proposals import LabelQueue, Proposal
from apps.crawls.models import Crawl, Label, Page
from tests.crawl_rows import grow
from tests.screens.live.test_payloads import whole

ESTIMATED = {
    "estimated_recall": 0.5,
    "estimated_recall_low": 0.4,
    "estimated_recall_high": 0.6,
    "relevant_soon": 9.0,
}
VAGUE = {**ESTIMATED, "estimated_recall_low": 0.05, "estimated_recall_high": 0.9}


def test_what_a_topic_lacks_leads_only_those_to_its_form_who_may_change_it(
    client: Client, stranger, crawl: Crawl
) -> None:
    client.force_login(stranger)
    share(crawl, stranger.username, may_edit=True)
    page = client.get(reverse("live:crawl", args=[crawl.pk])).content.decode()
    # The style sheet hides what is for those who may change the topic.
    assert "data-may-change" in page and "data-may-edit-topic" not in page
    share(crawl.topic, stranger.username, may_edit=True)
    page = client.get(reverse("live:crawl", args=[crawl.pk])).content.decode()
    assert "data-may-edit-topic" in page
    assert client.get(reverse("topic:edit", args=[crawl.topic_id])).status_code == 200


def test_the_header_states_when_a_crawl_ends_earlier(client: Client, owner, crawl: Crawl) -> None:
    Crawl.objects.filter(pk=crawl.pk).update(hours=3, recall=0.8, slope=5)
    client.force_login(owner)
    page = client.get(reverse("live:crawl", args=[crawl.pk])).content.decode()
    assert (
        "ends earlier after 3 hours at work or at an estimated recall of 80 % or when 1,000"
        " requests should add fewer than 5 relevant pages"
    ) in page


def test_an_empty_recall_chart_states_when_recall_is_estimated(
    client: Client, owner, crawl: Crawl
) -> None:
    crawl.topic.targets.all().delete()
    grow(crawl, 20)
    crawl.samples.update(metrics={})
    Crawl.objects.filter(pk=crawl.pk).update(metrics={})
    client.force_login(owner)
    page = client.get(reverse("live:crawl", args=[crawl.pk])).content.decode()
    assert "recall is estimated once a relevant page is found and 50 requests are made" in page


@pytest.mark.parametrize(
    ("metrics", "title"),
    [
        ({"targets": 4, "target_recall": 0.5}, "Target recall"),
        ({"targets": 0, "target_recall": None, **ESTIMATED}, "Estimated recall"),
        ({"targets": 0, "target_recall": None, **VAGUE}, "Estimated recall"),
    ],
)
def test_the_words_beside_a_chart_s_button_have_the_title_that_the_chart_has_now(
    client: Client, owner, crawl: Crawl, metrics: dict[str, float], title: str
) -> None:
    grow(crawl, 30, **metrics)
    client.force_login(owner)
    page = client.get(reverse("live:crawl", args=[crawl.pk])).content.decode()
    assert f"<h3>{title} <a" in page
    assert f'> of <span id="title-recall">{title}</span></span></button>' in page
    assert whole(crawl).fragments["title-recall"] == title, "it changes while the page is open"


def latest(fragments: Mapping[str, str]) -> str:
    """The newest value of the recall chart."""
    return fragments["caption-recall"].split('class="latest"')[1].split("<b>")[1]


def test_a_vague_estimate_of_recall_is_no_number_of_the_chart(crawl: Crawl) -> None:
    grow(crawl, 30, targets=0, target_recall=None, **ESTIMATED)
    shown = whole(crawl)
    assert "50" in latest(shown.fragments)
    assert "estimated 50" in shown.fragments["reading-recall"]
    grow(crawl, 60, targets=0, target_recall=None, **VAGUE)
    shown = whole(crawl)
    assert latest(shown.fragments).startswith("–")
    assert "estimated –" in shown.fragments["reading-recall"]


def test_the_queue_of_labels_states_that_none_of_its_pages_looks_relevant() -> None:
    def words(chance: float) -> str:
        proposal = Proposal(Page(title="Archive"), Label.Purpose.TEACHING, chance, 3, 0)
        queue = LabelQueue((proposal,), 0, 0, True)
        return render_to_string("live/proposals.html", {"queue": queue})

    assert "None of these looks relevant" in words(0.18)
    assert "None of these looks relevant" not in words(0.5)
