"""A topic's inputs in the browser: what is shown, uploads good and bad, who may change them."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from apps.accounts.sharing import share_with_everybody
from apps.topics.models import Topic
from apps.webs.links import links_path
from tests.topic_fixtures import MADE, bread

pytestmark = pytest.mark.alike


def counted(*numbers: int) -> str:
    """In-link counts of pages about bread."""
    return "\n".join(f"{MADE.url(4 * i)},{10 + i}" for i in numbers)


@pytest.fixture
def mine(client: Client, owner) -> Client:
    client.force_login(owner)
    return client


def upload(client: Client, topic: Topic, kind: str, content: bytes | str, name: str = "a.csv"):
    data = content.encode() if isinstance(content, str) else content
    file = SimpleUploadedFile(name, data)
    address = reverse("topic:add_input", args=[topic.pk, kind])
    return client.post(address, {"file": file}, follow=True)


def shown(client: Client, topic: Topic) -> str:
    return client.get(reverse("topic:detail", args=[topic.pk])).content.decode()


def test_every_source_names_what_it_is_for_and_what_is_there(mine: Client, topic: Topic) -> None:
    page = shown(mine, topic)
    for words in (
        "In-link counts",
        "2 typed in the topic’s form",
        "Host ranks",
        "Back-link pages",
        "Domain traffic",
        "the feature is 0 for every page",
        "Listed sites",
        "Corpus",
        "made: links counted",
        "8 of 8 positive examples known",
    ):
        assert words in page


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("inlinks", counted(0, 1, 2, 3), "4 rows, 4 of 8 positive examples known"),
        ("ranks", "#pr_val\t#host_rev\n2.0\ttest.h0\n1.0\ttest.h1\n", "2 rows, 4 of 8 positive"),
        ("traffic", "1,h0.test\n2,elsewhere.test\n", "a.csv for all your topics"),
        ("sites", "h0.test\n", "1 row."),
        ("backlinks", bread(1), "1 named"),
        ("corpus", bread(1, 2), "2 named"),
    ],
)
def test_files_are_uploaded_replaced_and_removed(
    mine: Client, topic: Topic, kind: str, content: str, message: str
) -> None:
    answer = upload(mine, topic, kind, content)
    assert message in answer.content.decode()
    assert answer.redirect_chain[-1][0].endswith(f"#inputs-{kind}")
    again = upload(mine, topic, kind, content)
    assert message in again.content.decode()
    address = reverse("topic:remove_input", args=[topic.pk, kind])
    assert "Remove it" in mine.get(address).content.decode()
    assert message in shown(mine, topic)
    assert message not in mine.post(address, follow=True).content.decode()


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("inlinks", "nonsense", "No line of it is usable. Line 1"),
        ("inlinks", counted(0) + "\nx", "1 row taken, 1 line not"),
        ("ranks", "1,2,3", "Line 1 must name the columns"),
        ("traffic", b"\x00\x01\x02\x03", "Line 1 is not text"),
        ("sites", "no domain at all", "No line of it is usable"),
        ("corpus", b"\x89PNG\x00", "a.csv was not taken. It is not text."),
        ("backlinks", f"{bread(1)}\n<b>x</b>", "a.csv: 1 line not taken"),
    ],
)
def test_bad_files_are_refused_in_words(
    mine: Client, topic: Topic, kind: str, content: str | bytes, message: str
) -> None:
    page = upload(mine, topic, kind, content).content.decode()
    assert message in page and "<b>x" not in page


def test_no_file_or_too_large_a_list_changes_nothing(mine: Client, topic: Topic) -> None:
    address = reverse("topic:add_input", args=[topic.pk, "corpus"])
    assert "Choose a file first" in mine.post(address, follow=True).content.decode()
    page = upload(mine, topic, "corpus", b"x" * (20 * 2**20 + 1)).content.decode()
    assert "larger than 20 MB" in page
    assert not topic.input_pages.filter(kind="corpus").exists()


def test_lines_not_taken_are_kept_in_the_form(mine: Client, topic: Topic) -> None:
    upload(mine, topic, "backlinks", f"{bread(1)}\nnonsense")
    page = mine.get(reverse("topic:edit", args=[topic.pk])).content.decode()
    assert "nonsense</textarea>" in page and "Line 2" in page


def test_reading_a_web_through_can_be_asked_for(mine: Client, topic: Topic) -> None:
    links_path(topic.web).unlink()
    assert "has not been read through" in shown(mine, topic)
    mine.post(reverse("topic:action", args=[topic.pk]), {"action": "scan"})
    topic.refresh_from_db()
    assert topic.work == "scanning"


def test_a_hostile_name_stays_words(mine: Client, topic: Topic) -> None:
    page = upload(mine, topic, "sites", "a.test", "<script>alert(1)</script>.csv").content.decode()
    assert "<script>alert" not in page


def test_others_add_and_remove_nothing(client: Client, topic: Topic, stranger) -> None:
    share_with_everybody(topic)
    client.force_login(stranger)
    for name in ("topic:add_input", "topic:remove_input"):
        address = reverse(name, args=[topic.pk, "sites"])
        assert client.post(address).status_code == 404
    assert 'type="file"' not in shown(client, topic)


@pytest.mark.parametrize("kind", ["web", "nonsense"])
def test_only_what_takes_a_file_takes_one(mine: Client, topic: Topic, kind: str) -> None:
    for name in ("topic:add_input", "topic:remove_input"):
        assert mine.post(reverse(name, args=[topic.pk, kind])).status_code == 404
