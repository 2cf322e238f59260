"""The screen of several people's labels: what it claims, its buttons, and who may use it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils.html import strip_tags

from apps.accounts.sharing import share
from apps.agreement.models import LabelRequest
from apps.collection.models import Entry
from apps.crawls.commands.labelling import label_effects
from apps.crawls.models import Label, Settlement
from apps.engine.answers import Answer
from apps.topics.annotation import guideline_of, hide_others
from apps.topics.models import Annotator
from tests.agreement.test_agreement import (  # noqa: F401
    PAGES,
    both,
    crawl,
    give,
    jonas,
    mira,
    topic,
)
from tests.crawl_rows import grow, made_crawl
from tests.people import Program, person, site_of

pytestmark = pytest.mark.alike


@pytest.fixture(autouse=True)
def bodies(monkeypatch):
    """Every page has a text that can be an example."""
    body = b"<p>" + b"dough flour yeast oven " * 20

    def stored(crawl, page) -> Answer:
        headers = (("Content-Type", "text/html"),)
        return Answer(page.url, page.final_url, 200, headers, body)

    monkeypatch.setattr(label_effects, "stored_answer", stored)


@pytest.fixture
def shared(topic, crawl, mira, jonas):
    share(topic, "jonas", may_edit=True)
    both(crawl, mira, jonas)
    return topic


def path(topic, more: str = "") -> str:
    return f"/topics/{topic.pk}/labels/{more}"


def text(user, topic, query: str = "") -> str:
    answer = site_of(user).get(path(topic) + query)
    return " ".join(strip_tags(answer.content.decode()).split())


def test_it_claims_what_can_be_claimed(shared, mira):
    words = text(mira, shared)
    assert "You agree on 18 of 24 pages" in words and "Kappa is 0.50" in words
    assert "6 pages you differ on" in words
    assert "jonas 24 labels" in words and "mira 27 labels" in words
    part = text(mira, shared, "?part=documents")
    assert "4 pages you differ on" in part


def test_without_a_second_person_it_names_what_is_missing(topic, crawl, mira):
    assert "Nobody has labelled a page" in text(mira, topic)
    give(crawl, mira, {1: True})
    assert "Agreement needs a second person: share the topic" in text(mira, topic)


def test_a_page_is_settled_and_opened_again(shared, crawl, mira, jonas):
    address = crawl.labels.filter(seq=11).first().address
    answer = site_of(mira).post(
        path(shared, "settle/"), {"address": address, "value": "n", "note": "money only"}
    )
    assert answer.status_code == 302 and answer["Location"].endswith("#to-settle")
    settlement = Settlement.objects.get()
    assert (settlement.relevant, settlement.by, settlement.note) == (False, mira, "money only")
    words = text(jonas, shared)
    assert "settled: no by mira" in words and "Object" in words
    site_of(jonas).post(path(shared, "undo/"), {"settlement": settlement.pk})
    settlement.refresh_from_db()
    assert settlement.undone_at is not None


def test_the_second_person_labels_the_same_pages_without_seeing_labels(shared, crawl, jonas):
    answer = site_of(jonas).get(path(shared)).content.decode()
    same = answer.split('id="same-pages"')[1].split('class="rail"')[0]
    assert same.count("data-row") == 3 and "given-label" not in same
    address = crawl.labels.filter(seq=25).first().address
    site_of(jonas).post(path(shared, "answer/"), {"address": address, "value": "y"})
    label = crawl.labels.get(seq=25, by=jonas)
    assert label.relevant and crawl.labels.filter(seq=25).count() == 2


def test_the_note_has_versions_and_readers(shared, mira, jonas):
    site_of(mira).post(path(shared, "note/"), {"text": "Awards: in.", "version": "0"})
    assert "read by mira" in text(jonas, shared)
    site_of(jonas).post(path(shared, "note/"), {"read": "1", "version": "1"})
    assert "both have read it" in text(mira, shared)
    site_of(jonas).post(path(shared, "note/"), {"text": "Awards: out.", "version": "0"})
    assert guideline_of(shared).text == "Awards: in."
    assert "1 earlier version" not in text(mira, shared)


def test_rule_and_hiding_are_stored(shared, mira, jonas):
    site_of(mira).post(path(shared, "rule/"), {"rule": "first"})
    shared.refresh_from_db()
    assert (shared.label_rule, shared.label_first) == ("first", mira)
    site_of(jonas).post(path(shared, "hide/"), {})
    assert not Annotator.objects.get(person=jonas).hides_others


def test_a_reader_sees_and_changes_nothing_and_a_stranger_sees_nothing(shared, crawl, mira):
    reader, stranger = person("reader"), person("stranger")
    share(shared, "reader")
    address = crawl.labels.filter(seq=11).first().address
    sent = {"address": address, "value": "y", "rule": "first", "text": "x", "settlement": "1"}
    assert "You agree on 18 of 24" in text(reader, shared)
    assert "leave open" not in text(reader, shared)
    for name in ("settle/", "undo/", "answer/", "ask/", "note/", "rule/", "hide/"):
        assert site_of(reader).post(path(shared, name), sent).status_code == 404
        assert site_of(stranger).post(path(shared, name), sent).status_code == 404
        assert site_of(None).post(path(shared, name), sent).status_code == 302
    assert site_of(stranger).get(path(shared)).status_code == 404
    assert site_of(stranger).get(f"/topics/{shared.pk}/labels.csv").status_code == 404
    assert not Settlement.objects.exists()


def table(user, topic) -> list[str]:
    return site_of(user).get(f"/topics/{topic.pk}/labels.csv").content.decode().splitlines()


def test_all_labels_are_a_table(shared, mira):
    assert site_of(mira).post(path(shared, "hide/"), {}).status_code == 302
    heading, *lines = table(mira, shared)
    assert "label jonas,label mira" in heading and len(lines) == 27


def test_while_labels_are_hidden_the_table_has_the_pages_that_one_has_labelled(shared, jonas):
    assert len(table(jonas, shared)) == 25
    reader = person("reader")
    share(shared, "reader")
    assert len(table(reader, shared)) == 28


def test_the_api_does_what_the_screen_does(shared, crawl, mira):
    api, topic = Program(mira), f"topics/{shared.pk}"
    figures = api.get(f"{topic}/agreement").json()
    assert figures["parts"][0]["value"] == pytest.approx(0.5)
    assert (figures["trained"], figures["left_out"]) == (21, 6)
    first, *rest = api.get(f"{topic}/disagreements").json()
    assert len(rest) == 5 and len(first["labels"]) == 2
    answer = api.send(
        "post", f"{topic}/settlements", {"address": first["address"], "relevant": None}
    )
    assert answer.status_code == 201
    (row,) = api.get(f"{topic}/disagreements", settled="true").json()
    assert (row["settlement"], row["relevant"], row["by"]) == (answer.json()["id"], None, "mira")
    gone = api.send("delete", f"{topic}/settlements/{row['settlement']}")
    assert gone.status_code == 204 and len(api.get(f"{topic}/disagreements").json()) == 6
    assert api.send("put", f"{topic}/annotation", {"guideline": "In."}).status_code == 204
    assert Program(person("eve")).get(f"{topic}/agreement").status_code == 404


def test_both_are_asked_for_pages_that_nobody_has_labelled(topic, crawl, mira, jonas):
    share(topic, "jonas", may_edit=True)
    Entry.objects.all().delete()  # those of the fixture are of no crawl set
    give(crawl, mira, {1: True})
    site_of(mira).post(path(topic, "ask/"), {"how": "random", "after": "0"})
    rows = list(LabelRequest.objects.all())
    assert len(rows) == 20 and 1 not in {row.seq for row in rows}
    for who in (mira, jonas):
        assert "20 that all are asked for" in text(who, topic)
    sent = {"address": rows[0].address, "value": "n", "note": "no recipe"}
    site_of(jonas).post(path(topic, "answer/"), sent)
    label = crawl.labels.get(by=jonas)
    assert (label.seq, label.relevant, label.note) == (rows[0].seq, False, "no recipe")
    assert "19 that all are asked for" in text(jonas, topic)
    assert "20 that all are asked for" in text(mira, topic) and "no recipe" not in text(mira, topic)
    site_of(mira).post(path(topic, "ask/"), {"withdraw": "1"})
    assert LabelRequest.objects.count() == 1


@pytest.fixture
def private(shared, jonas, mira):
    """A crawl that an editor of the topic started and has not shared: its owner does not see it."""
    own = grow(made_crawl(shared, owner=jonas), 3)
    for page in own.pages_fetched.all():
        url = f"http://secret.test/{page.seq}"
        own.pages_fetched.filter(pk=page.pk).update(url=url, final_url=url, host="secret.test")
    give(own, jonas, {1: True, 2: False})
    give(own, person("ada"), {1: False, 2: False})
    return own


@pytest.fixture
def its_first(private) -> int:
    return private.labels.filter(seq=1).first().address


@pytest.mark.parametrize("name", ["jonas", "reader"])
def test_pages_of_an_editors_crawl_are_shown_to_those_who_see_it(shared, private, name):
    reader = User.objects.get(username=name) if name == "jonas" else person(name)
    if name == "reader":
        share(shared, name)
    assert "secret.test" in "\n".join(table(reader, shared))
    assert "7 pages you differ on" in text(reader, shared) + text(reader, shared, "?page=2")
    assert "not shared with you" not in text(reader, shared)


def test_the_owner_sees_no_page_of_an_editors_crawl_until_it_is_shared(
    shared, private, its_first, mira
):
    hide_others(shared, mira, False)
    page, listed = text(mira, shared), "\n".join(table(mira, shared))
    assert "secret.test" not in page + listed and "6 pages you differ on" in page
    assert "2 more labelled in crawls that are not shared with you" in page
    api = Program(mira)
    disputes = api.get(f"topics/{shared.pk}/disagreements").json()
    assert not [each for each in disputes if each["address"] == str(its_first)]
    assert "ada" not in api.get(f"topics/{shared.pk}/agreement").json()["labels"]
    share(private, "mira")
    assert "secret.test" in "\n".join(table(mira, shared))


def test_the_owner_labels_and_settles_nothing_there(shared, private, its_first, mira, jonas):
    sent = {"address": its_first, "value": "y"}
    for name in ("settle/", "answer/"):
        assert site_of(mira).post(path(shared, name), sent).status_code == 302
    body = {"address": str(its_first), "relevant": True}
    refused = Program(mira).send("POST", f"topics/{shared.pk}/settlements", body)
    assert refused.status_code == 422 and "Nobody has labelled" in refused.content.decode()
    assert not Settlement.objects.exists() and not private.labels.filter(by=mira).exists()
    site_of(jonas).post(path(shared, "settle/"), sent)
    settlement = Settlement.objects.get()
    undoing = {"settlement": settlement.pk}
    assert site_of(mira).post(path(shared, "undo/"), undoing).status_code == 404
    gone = Program(mira).send("DELETE", f"topics/{shared.pk}/settlements/{settlement.pk}")
    assert gone.status_code == 404
    settlement.refresh_from_db()
    assert settlement.undone_at is None and "secret.test" not in text(mira, shared)


def test_a_page_of_both_crawls_is_shown_and_labelled_in_the_one_that_is_seen(
    shared, crawl, mira, jonas
):
    own = grow(made_crawl(shared, owner=jonas), PAGES)
    hide_others(shared, mira, False)
    last = own.pages_fetched.get(seq=PAGES)
    assert last.final_url == crawl.pages_fetched.get(seq=PAGES).final_url
    give(own, jonas, {PAGES: True})
    assert last.final_url in "\n".join(table(mira, shared))
    html = site_of(mira).get(path(shared)).content.decode()
    assert f"/crawls/{crawl.pk}/pages/{PAGES}/" in html and f"/crawls/{own.pk}/" not in html
    address = own.labels.get().address
    site_of(mira).post(path(shared, "answer/"), {"address": address, "value": "n"})
    label = Label.objects.get(by=mira, address=address)
    assert (label.crawl, label.relevant) == (crawl, False)
