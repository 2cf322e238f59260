"""A dossier names the other topics that have asked the host, as far as they are shared."""

from __future__ import annotations

import pytest

from apps.accounts.sharing import share
from apps.dossiers.other_topics import other_topics
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
