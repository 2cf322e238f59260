"""A shared topic copied: what makes a classifier and a crawl, without the crawls of its owner."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse

from apps.accounts.sharing import share
from apps.topics.examples.page_store import topic_folder
from apps.topics.models import Topic
from apps.webs.models import Web
from tests.crawl_rows import made_crawl, made_topic
from tests.people import Program, person, site_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def topic(data_dir: Path) -> Topic:
    """A topic of ada's on a web of hers, with a stored page and a crawl."""
    topic = made_topic(person("ada"))
    topic.web = Web.objects.create(
        name="coast", source=Web.Source.FOLDER, folder="c", owner=topic.owner
    )
    topic.save()
    topic.examples.update(file="examples-1.warc.gz", offset=0, length=4)
    topic_folder(topic.pk).mkdir(parents=True)
    (topic_folder(topic.pk) / "examples-1.warc.gz").write_bytes(b"page")
    made_crawl(topic)
    return topic


def urls(rows) -> list[str]:
    return list(rows.order_by("pk").values_list("url", flat=True))


def test_a_guest_copies_a_shared_topic_with_its_pages_and_without_its_crawls(topic: Topic) -> None:
    mate = person("mate")
    share(topic, "mate")
    page = site_of(mate).get(reverse("topic:detail", args=[topic.pk])).content.decode()
    assert "Copy to mine" in page
    answer = site_of(mate).post(reverse("topic:copy", args=[topic.pk]))
    copy = Topic.objects.get(owner=mate)
    assert answer.url == reverse("topic:detail", args=[copy.pk])
    assert (copy.name, copy.keywords, copy.web) == (topic.name, topic.keywords, topic.web)
    for name in ("seeds", "examples", "targets"):
        assert urls(getattr(copy, name)) == urls(getattr(topic, name)) != []
    assert (topic_folder(copy.pk) / copy.examples.first().file).read_bytes() == b"page"
    assert not copy.crawls.exists() and not copy.shares.exists()


def test_the_copy_outlives_the_original(topic: Topic) -> None:
    mate = person("mate")
    share(topic, "mate")
    made = Program(mate).send("post", f"topics/{topic.pk}/copy").json()
    assert (made["owner"], made["mine"]) == ("mate", True)
    topic.crawls.all().delete()
    topic.delete()
    copy = Topic.objects.get(pk=made["id"])
    assert copy.examples.count() == 8 and (topic_folder(copy.pk)).is_dir()


def test_a_second_copy_has_a_name_of_its_own(topic: Topic) -> None:
    mate = Program(person("mate"))
    share(topic, "mate")
    names = [mate.send("post", f"topics/{topic.pk}/copy").json()["name"] for _ in range(2)]
    assert names == ["Sourdough", "Sourdough (copy 1)"]


def test_an_outsider_copies_nothing(topic: Topic) -> None:
    eve = person("eve")
    assert Program(eve).send("post", f"topics/{topic.pk}/copy").status_code == 404
    assert site_of(eve).post(reverse("topic:copy", args=[topic.pk])).status_code == 404
    assert not Topic.objects.filter(owner=eve).exists()
