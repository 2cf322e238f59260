"""Two forms of one topic: nothing of the first one's is lost when the second one is saved."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from apps.topics.models import Topic
from apps.topics.selectors import list_texts
from tests.topic_fixtures import owner, topic, web, web_file  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture
def mine(client: Client, owner) -> Client:
    client.force_login(owner)
    return client


def fields(client: Client, topic: Topic) -> dict[str, str]:
    """What a browser sends if nothing is changed in the form of this moment."""
    response = client.get(reverse("topic:edit", args=[topic.pk]))
    form = response.context["form"]
    sent = {field.html_name: field.value() or "" for field in form}
    language, _, also = sent["language"].partition(" ")
    sent |= {"language": language, "language_also": also, "without_negatives": "others"}
    return sent | {"web": topic.web_id or "", "base": response.context["base"]}


def save(client: Client, topic: Topic, sent: dict[str, str]):
    return client.post(reverse("topic:edit", args=[topic.pk]), sent)


def seeds(topic: Topic) -> list[str]:
    return list_texts(topic)["seeds"].splitlines()


def with_seed(sent: dict[str, str], url: str) -> dict[str, str]:
    return sent | {"seeds": f"{sent['seeds']}\n{url}"}


def choose(response, **choices: str) -> dict[str, str]:
    """What the notice adds to the form."""
    present = re.search(r'name="present" value="([^"]*)"', response.content.decode())
    return {"present": unescape(present[1]), **choices}


def test_a_form_that_is_older_than_the_topic_is_not_saved(mine: Client, topic: Topic) -> None:
    first, second = fields(mine, topic), fields(mine, topic)
    assert save(mine, topic, with_seed(first, "https://added.example/")).status_code == 302
    response = save(mine, topic, second | {"description": "Of the north"})
    assert response.status_code == 409
    words = response.content.decode()
    assert "This topic was changed in another tab" in words
    assert "There 1 seed was added; here the description was changed." in words
    topic.refresh_from_db()
    assert topic.description != "Of the north"
    assert "https://added.example/" in seeds(topic)


def test_both_are_taken_where_they_do_not_clash(mine: Client, topic: Topic) -> None:
    first, second = fields(mine, topic), fields(mine, topic)
    save(mine, topic, with_seed(first, "https://added.example/"))
    second |= {"description": "Of the north"}
    refused = save(mine, topic, second)
    assert save(mine, topic, second | choose(refused, merge="both")).status_code == 302
    topic.refresh_from_db()
    assert topic.description == "Of the north"
    assert "https://added.example/" in seeds(topic)


def test_mine_is_what_was_typed_and_nothing_else(mine: Client, topic: Topic) -> None:
    first, second = fields(mine, topic), fields(mine, topic)
    save(mine, topic, with_seed(first, "https://added.example/"))
    second |= {"description": "Of the north"}
    refused = save(mine, topic, second)
    save(mine, topic, second | choose(refused, merge="mine"))
    topic.refresh_from_db()
    assert topic.description == "Of the north"
    assert "https://added.example/" not in seeds(topic)


@pytest.mark.parametrize(
    ("take", "description"), [("mine", "Mine"), ("stored", "Theirs"), ("both", "Mine")]
)
def test_a_field_that_both_change_is_shown_twice_and_chosen(
    mine: Client, topic: Topic, take: str, description: str
) -> None:
    first, second = fields(mine, topic), fields(mine, topic)
    save(mine, topic, first | {"description": "Theirs"})
    second |= {"description": "Mine"}
    refused = save(mine, topic, second)
    words = refused.content.decode()
    assert "<pre>Theirs</pre>" in words and "<pre>Mine</pre>" in words
    assert "Both versions change the description." in words
    save(mine, topic, second | choose(refused, merge="both", **{"take-description": take}))
    topic.refresh_from_db()
    assert topic.description == description


def test_lists_that_both_change_are_united(mine: Client, topic: Topic) -> None:
    first, second = fields(mine, topic), fields(mine, topic)
    save(mine, topic, with_seed(first, "https://theirs.example/"))
    second = with_seed(second, "https://mine.example/")
    refused = save(mine, topic, second)
    save(mine, topic, second | choose(refused, merge="both", **{"take-seeds": "both"}))
    before = first["seeds"].splitlines()
    assert seeds(topic) == [*before, "https://theirs.example/", "https://mine.example/"]


def test_a_choice_counts_for_the_version_that_was_seen(mine: Client, topic: Topic) -> None:
    first, second = fields(mine, topic), fields(mine, topic)
    save(mine, topic, with_seed(first, "https://added.example/"))
    second |= {"description": "Of the north"}
    refused = save(mine, topic, second)
    topic.refresh_from_db()
    topic.keywords = ["later"]
    topic.save()
    assert save(mine, topic, second | choose(refused, merge="mine")).status_code == 409
    topic.refresh_from_db()
    assert topic.keywords == ["later"]


def test_the_same_change_twice_is_no_clash(mine: Client, topic: Topic) -> None:
    first, second = fields(mine, topic), fields(mine, topic)
    assert save(mine, topic, first | {"description": "Alike"}).status_code == 302
    assert save(mine, topic, second | {"description": "Alike"}).status_code == 302
