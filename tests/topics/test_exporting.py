"""A topic exported as a file and imported again in the browser."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apps.accounts.sharing import share_with_everybody
from apps.topics.exporting import topic_file_of
from apps.topics.inputs.lists import add_rows
from apps.topics.models import Topic
from apps.webs.models import Web
from tests.people import site_of
from tests.topic_fixtures import MADE

pytestmark = pytest.mark.django_db


def sent(data: object, name: str = "topic.json") -> SimpleUploadedFile:
    text = data if isinstance(data, bytes) else json.dumps(data).encode()
    return SimpleUploadedFile(name, text)


def test_what_is_exported_makes_the_same_topic_elsewhere(topic: Topic, stranger) -> None:
    for kind, rows in (
        ("traffic", [("a.test", 7)]),
        ("sites", [("b.test", 1)]),
        ("inlinks", [(MADE.url(8), 2)]),
    ):
        add_rows(topic.owner, topic, kind, "list", rows)
    Topic.objects.filter(pk=topic.pk).update(hold_out="regardless")
    topic.refresh_from_db()
    answer = site_of(topic.owner).get(reverse("topic:export", args=[topic.pk]))
    assert answer["Content-Disposition"] == 'attachment; filename="topic-bread.json"'
    site = site_of(stranger)
    file, web = sent(answer.content), Web.objects.get(name="made").pk
    done = site.post(reverse("topics:import"), {"file": file, "web": web})
    made = Topic.objects.get(owner=stranger)
    assert done.url == reverse("topic:detail", args=[made.pk])
    assert made.work == "fetching" and made.web_id == web
    assert topic_file_of(made) == topic_file_of(topic)
    assert topic_file_of(made)["hold_out"] == "regardless"


def test_a_shared_topic_is_exported_by_others_and_no_other_is(topic: Topic, stranger) -> None:
    address = reverse("topic:export", args=[topic.pk])
    assert site_of(stranger).get(address).status_code == 404
    share_with_everybody(topic)
    assert site_of(stranger).get(address).json()["name"] == "Bread"


def test_lines_that_are_not_taken_stand_in_the_form(owner) -> None:
    file = sent({"name": "Rye", "seeds": ["http://a.test/", "nonsense"]})
    page = site_of(owner).post(reverse("topics:import"), {"file": file}, follow=True)
    assert "Line 2</a>: <code>nonsense" in page.content.decode()
    assert Topic.objects.get().typed["seeds"] == "http://a.test/\nnonsense"


def test_a_topic_of_the_same_name_is_replaced_on_request_only(topic: Topic) -> None:
    site, data = site_of(topic.owner), {"name": "Bread", "keywords": ["rye"]}
    page = site.post(reverse("topics:import"), {"file": sent(data)}).content.decode()
    assert "There is a topic Bread already" in page
    site.post(reverse("topics:import"), {"file": sent(data), "replace": "on"})
    topic.refresh_from_db()
    assert topic.keywords == ["rye"] and not topic.seeds.exists()


@pytest.mark.alike
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        [],
        {"nonsense": 1},
        {"name": ""},
        {"name": "x", "seeds": "no list"},
        {"name": "x", "seeds": [1]},
        {"name": "x" * 300},
        {"name": "x", "language": "nonsense"},
        {"name": "x", "negatives_per_positive": 10**30},
        {"name": "x", "inlinks": {"http://a.test/": -1}},
        {"name": "x", "traffic": {"": 1}},
    ],
)
def test_what_is_no_topic_is_refused_at_the_file(owner, data: object) -> None:
    page = site_of(owner).post(reverse("topics:import"), {"file": sent(data)})
    assert page.status_code == 200 and page.context["form"].errors["file"]
    assert not Topic.objects.exists()
