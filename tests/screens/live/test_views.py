"""The live page: what it shows to whom."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from apps.accounts.sharing import share
from apps.crawls.models import Crawl


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
