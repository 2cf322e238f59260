"""One account does not fill the site for all: settings bound its topics, crawls and uploads."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.core.files.base import File
from django.urls import reverse

from apps.accounts.sharing import share
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.crawls.services import create_crawl
from apps.directories.models import Directory
from apps.directories.schemas import CategoryChoice
from apps.schemas.refused import Refused
from apps.topics.copying import copy_topic
from apps.topics.definition.from_directory import make_topics
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import TopicRefused, create_topic, edit_topic
from apps.uploads.models import Upload
from apps.uploads.services import UploadRefused, take_upload
from tests.crawl_rows import made_crawl, made_topic
from tests.people import Program, person, site_of

pytestmark = pytest.mark.django_db


def test_topics(settings) -> None:
    settings.MOST_TOPICS = 2
    ada, eve = person("ada"), person("eve")
    create_topic(ada, Definition.read({"name": "Bread"}))
    last = create_topic(ada, Definition.read({"name": "Rye"})).topic
    with pytest.raises(TopicRefused) as refused:
        create_topic(ada, Definition.read({"name": "Oats"}))
    assert refused.value.field == "name"
    assert "An account may have 2 topics here. Delete some of yours" in refused.value.message
    assert "CRAWLSITE_MOST_TOPICS" in refused.value.message
    with pytest.raises(Refused, match="2 topics"):
        copy_topic(made_topic(eve), ada)
    edit_topic(last, Definition.read({"name": "Rye bread"}))
    create_topic(eve, Definition.read({"name": "Oats"}))
    answer = Program(ada).send("post", "topics", {"name": "Oats"})
    assert answer.status_code == 422 and "2 topics" in answer.content.decode()
    last.delete()
    create_topic(ada, Definition.read({"name": "Oats"}))


def test_the_copy_button_gives_the_reason(settings) -> None:
    settings.MOST_TOPICS = 0
    mate, topic = person("mate"), made_topic(person("ada"))
    share(topic, "mate")
    page = site_of(mate).post(reverse("topic:copy", args=[topic.pk]), follow=True)
    assert "An account may have 0 topics here." in page.content.decode()


def test_topics_of_a_directory_are_made_all_or_none(settings, monkeypatch) -> None:
    ada = person("ada")
    module = "apps.topics.definition.from_directory"
    monkeypatch.setattr(f"{module}._splits", lambda directory, wanted: ([None] * 3, ()))
    settings.MOST_TOPICS = 2
    with pytest.raises(Refused) as refused:
        make_topics(ada, Directory(owner=ada), CategoryChoice())
    assert refused.value.field == "directory" and not Topic.objects.exists()


def test_crawls(settings) -> None:
    settings.MOST_CRAWLS = 1
    first = made_crawl(made_topic(person("ada")))
    made_crawl(made_topic(person("eve")))
    asked = (first.owner, first.topic, first.web)
    with pytest.raises(CrawlRefused, match="1 crawls here"):
        create_crawl(*asked, strategy="breadth_first", budget=10)
    settings.MOST_CRAWLS = 2
    create_crawl(*asked, strategy="breadth_first", budget=10)
    assert Crawl.objects.filter(owner=first.owner).count() == 2


def test_uploads_that_wait(settings, tmp_path) -> None:
    settings.DATA_DIR = tmp_path
    settings.MOST_UPLOADS = 1
    ada = person("ada")
    take_upload(ada, "web", "coast", File(BytesIO(b"{}"), "coast.jsonl"))
    with pytest.raises(UploadRefused, match="1 files that wait to be read"):
        take_upload(ada, "web", "hills", File(BytesIO(b"{}"), "hills.jsonl"))
    Upload.objects.update(job_state="failed")
    take_upload(ada, "web", "hills", File(BytesIO(b"{}"), "hills.jsonl"))
