"""A dossier names the other topics that have asked the host, as far as they are shared."""

from __future__ import annotations

import pytest
from django.utils.html import strip_tags

from apps.accounts.sharing import share
from apps.crawls.sources.recorded_web import RECORDED_WEB
from apps.dossiers.other_topics import other_topics
from apps.webs.models import Web
from tests.crawl_rows import made_topic
from tests.host_rows import linked_crawl
from tests.people import person, site_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def test_it_counts_the_pages_of_each_topic_that_the_reader_sees() -> None:
    ada, ben = person("ada"), person("ben")
    own, second, hidden = made_topic(ada, "Rye"), made_topic(ada, "Oats"), made_topic(ben, "Spelt")
    linked_crawl(own)
    linked_crawl(second)
    linked_crawl(second)
    linked_crawl(hidden)
    assert [(row.topic, row.pages) for row in other_topics(own, "a.test", ada)] == [(second, 4)]
    assert other_topics(own, "c.test", ada) == []
    share(hidden, "ada")
    both = other_topics(own, "a.test", ada)
    assert [(row.topic, row.pages) for row in both] == [(second, 4), (hidden, 2)]
    screen = site_of(ada).get(f"/topics/{own.pk}/hosts/a.test/").content.decode()
    assert f'href="/topics/{second.pk}/hosts/a.test/"' in screen and "4 pages" in screen


def test_a_host_of_a_recorded_web_was_never_asked_and_can_be_taken_down() -> None:
    topic = made_topic(person("ada"))
    web = Web.objects.create(name="shore", source=Web.Source.FOLDER, pages=6, folder="shore")
    linked_crawl(topic, web=web, over=RECORDED_WEB.over)
    site = site_of(topic.owner)
    screen = " ".join(
        strip_tags(site.get(f"/topics/{topic.pk}/hosts/a.test/").content.decode()).split()
    )
    assert "Never asked: its 2 pages are those of a recorded web." in screen
    # A collaborator's own crawl is not the owner's to see.
    eve = person("eve")
    share(topic, "eve", may_edit=True)
    linked_crawl(topic, web=web, over=RECORDED_WEB.over, owner=eve)
    again = site.get(f"/topics/{topic.pk}/hosts/a.test/").content.decode()
    assert "its 2 pages are those of a recorded web" in again
    assert "Take down" in screen and "Made by a template?" in screen and "First asked" not in screen
