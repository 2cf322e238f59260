"""Everybody who labels a topic is asked for the same pages, those without any label too."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from apps.accounts.sharing import share
from apps.agreement import asking
from apps.agreement.answers import read_answers
from apps.agreement.asking import PageChoice, ask_everybody, last_request, requests_to, withdraw
from apps.agreement.models import LabelRequest
from apps.collection.indexing.index import list_pages
from apps.collection.models import Entry
from apps.collection.withholding import hide_pages
from apps.crawls.models import Crawl, Label, Settlement
from apps.engine.digests import digest
from apps.schemas.refused import Refused
from apps.topics.models import Topic
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.people import Program, person, site_of

pytestmark = pytest.mark.alike
PAGES = 30


@pytest.fixture
def mira(db: None) -> User:
    return person("mira")


@pytest.fixture
def jonas(mira: User) -> User:
    return person("jonas")


@pytest.fixture
def topic(mira: User, jonas: User) -> Topic:
    topic = made_topic(mira)
    share(topic, "jonas", may_edit=True)
    return topic


@pytest.fixture
def crawl(topic: Topic) -> Crawl:
    return grow(made_crawl(topic), PAGES)


def give(crawl: Crawl, by: User, seq: int, relevant: bool = True) -> None:
    address = digest(crawl.pages_fetched.get(seq=seq).final_url)
    Label.objects.create(crawl=crawl, seq=seq, address=address, relevant=relevant, by=by)


def asked(topic: Topic, who: User) -> list[int]:
    return [row.seq for row in requests_to(who, topic, read_answers(topic))]


def test_both_get_the_same_pages_until_they_have_labelled_them(
    topic: Topic, crawl: Crawl, mira: User, jonas: User
) -> None:
    assert ask_everybody(topic, PageChoice.RANDOM, mira, 5) == 5
    first = asked(topic, mira)
    assert len({*first}) == 5 and asked(topic, jonas) == first
    give(crawl, mira, first[0])
    assert (asked(topic, mira), asked(topic, jonas)) == (first[1:], first)
    give(crawl, jonas, first[0], relevant=False)
    assert asked(topic, jonas) == first[1:]
    [page] = [page for page in read_answers(topic) if page.is_shared]
    assert page.differs


def test_no_page_is_asked_for_that_has_a_label_or_is_asked_for_or_settled(
    topic: Topic, crawl: Crawl, mira: User
) -> None:
    give(crawl, mira, 1)
    address = digest(crawl.pages_fetched.get(seq=2).final_url)
    Settlement.objects.create(topic=topic, address=address, relevant=None, by=mira)
    list_pages(crawl)
    Entry.objects.filter(seq=3).update(target=True)
    Entry.objects.filter(seq__in=(4, 5)).update(fold=Entry.objects.get(seq=4).page_id)
    assert ask_everybody(topic, PageChoice.RANDOM, mira, 10) == 10
    assert ask_everybody(topic, PageChoice.RANDOM, mira, 50) == PAGES - 4 - 10
    assert sorted(asked(topic, mira)) == [4, *range(6, PAGES + 1)]
    with pytest.raises(Refused, match="has a label, or is asked for"):
        ask_everybody(topic, PageChoice.RANDOM, mira)


def test_the_uncertain_ones_are_those_whose_topicality_is_nearest_to_a_half(
    topic: Topic, crawl: Crawl, mira: User
) -> None:
    list_pages(crawl)
    for seq in range(1, PAGES + 1):
        Entry.objects.filter(seq=seq).update(topicality=seq / (PAGES + 1))
    Entry.objects.filter(seq=16).update(topicality=None)
    assert ask_everybody(topic, PageChoice.UNCERTAIN, mira, 3) == 3
    assert sorted(asked(topic, mira)) == [14, 15, 17]


def test_an_address_of_two_crawls_is_asked_for_once(topic: Topic, crawl: Crawl, mira: User) -> None:
    grow(made_crawl(topic), PAGES)
    assert ask_everybody(topic, PageChoice.RANDOM, mira, 100) == PAGES
    assert LabelRequest.objects.values("address").distinct().count() == PAGES


def test_sent_twice_it_asks_once_and_not_over_another_s_request(
    topic: Topic, crawl: Crawl, mira: User, jonas: User
) -> None:
    before = last_request(topic)
    assert ask_everybody(topic, PageChoice.RANDOM, mira, 5, after=before) == 5
    assert ask_everybody(topic, PageChoice.RANDOM, mira, 5, after=before) == 0
    with pytest.raises(Refused, match="meanwhile"):
        ask_everybody(topic, PageChoice.RANDOM, jonas, 5, after=before)
    assert LabelRequest.objects.count() == 5
    with pytest.raises(Refused, match="Choose pages"):
        ask_everybody(topic, "all", jonas)


def test_what_has_a_label_stays_when_the_rest_is_withdrawn(
    topic: Topic, crawl: Crawl, mira: User, jonas: User
) -> None:
    ask_everybody(topic, PageChoice.RANDOM, mira, 5)
    first = asked(topic, mira)[0]
    give(crawl, mira, first)
    assert withdraw(topic) == 4
    assert (asked(topic, mira), asked(topic, jonas)) == ([], [first])


def test_no_page_of_a_crawl_is_asked_for_that_the_topic_s_owner_may_not_see(
    topic: Topic, mira: User, jonas: User
) -> None:
    private = grow(made_crawl(topic, owner=jonas), PAGES)
    for who in (mira, jonas):
        with pytest.raises(Refused, match="Every page"):
            ask_everybody(topic, PageChoice.RANDOM, who)
    # One that was asked for while its crawl was shared is asked for no more.
    share(private, "mira")
    assert ask_everybody(topic, PageChoice.RANDOM, jonas, 3) == 3
    assert len(asked(topic, mira)) == 3
    private.shares.all().delete()
    assert (asked(topic, mira), asked(topic, jonas)) == ([], [])
    assert Program(mira).get(f"topics/{topic.pk}/label-requests").json() == []
    answered = {"address": LabelRequest.objects.first().address, "value": "y"}
    site_of(jonas).post(f"/topics/{topic.pk}/labels/answer/", answered)
    assert not Label.objects.exists()


def test_pages_that_another_has_in_a_private_crawl_too_are_asked_for_where_all_see_them(
    topic: Topic, mira: User, jonas: User
) -> None:
    private = grow(made_crawl(topic, owner=jonas), PAGES)
    own, again = (grow(made_crawl(topic), PAGES) for _ in range(2))
    for each in (private, own, again):
        list_pages(each)
    for first in Entry.objects.filter(crawl=private):
        Entry.objects.filter(seq=first.seq).update(fold=first.page_id)
    LabelRequest.objects.create(
        topic=topic, crawl=private, seq=1, address=Entry.objects.filter(seq=1)[0].address, by=jonas
    )
    assert ask_everybody(topic, PageChoice.RANDOM, mira, 100) == PAGES
    rows = requests_to(jonas, topic, [])
    assert sorted(row.seq for row in rows) == [*range(1, PAGES + 1)]
    assert {row.crawl_id for row in rows} == {own.pk}


def test_pages_that_were_taken_down_are_neither_listed_nor_counted(
    topic: Topic, crawl: Crawl, mira: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "MOST_ASKED", 25)
    ask_everybody(topic, PageChoice.RANDOM, mira, 25)
    every = asked(topic, mira)
    with pytest.raises(Refused, match="25 pages that were asked for"):
        ask_everybody(topic, PageChoice.RANDOM, mira, 5)
    gone = crawl.pages_fetched.filter(seq__in=every[:20])
    hide_pages(crawl, list(gone.values_list("pk", flat=True)))
    assert asked(topic, mira) == every[20:]
    screen = site_of(mira).get(f"/topics/{topic.pk}/labels/").content.decode()
    assert "5 that all are asked for" in screen
    assert screen.count('name="value" value="y"') == 5
    assert ask_everybody(topic, PageChoice.RANDOM, mira, 5) == 5


def test_programs_ask_and_withdraw_and_only_those_who_may_label(
    topic: Topic, crawl: Crawl, jonas: User
) -> None:
    reader, stranger = person("reader"), person("stranger")
    share(topic, "reader")
    address = f"topics/{topic.pk}/label-requests"
    sent = {"how": "random", "pages": 4}
    assert Program(jonas).send("post", address, sent).json() == {"pages": 4}
    rows = Program(jonas).get(address).json()
    assert [row["page"] for row in rows] == asked(topic, jonas)
    assert all(row["url"].startswith("http") and row["crawl"] == crawl.pk for row in rows)
    for who in (reader, stranger):
        api = Program(who)
        codes = [api.get(address), api.send("post", address, sent), api.send("delete", address)]
        assert [answer.status_code for answer in codes] == [404, 404, 404]
    assert Program(jonas).send("post", address, {**sent, "how": "best"}).status_code == 422
    assert Program(jonas).send("delete", address).json() == {"pages": 4}


def test_pages_are_drawn_before_anything_is_locked(
    topic: Topic, crawl: Crawl, mira: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked, nested = [], len(connection.savepoint_ids)
    draw = asking._choose

    def watched(*asked: Any) -> Any:
        locked.append(len(connection.savepoint_ids) > nested)
        return draw(*asked)

    monkeypatch.setattr(asking, "_choose", watched)
    assert ask_everybody(topic, PageChoice.RANDOM, mira, 5) == 5
    assert locked == [False]


def test_a_page_that_was_labelled_while_others_were_drawn_is_not_asked_for(
    topic: Topic, crawl: Crawl, mira: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, drawn = asking._choose, []

    def labelled_meanwhile(*asked: Any) -> Any:
        drawn.append(draw(*asked))
        if len(drawn) == 1:
            give(crawl, mira, drawn[0][0][2])
        return drawn[-1]

    monkeypatch.setattr(asking, "_choose", labelled_meanwhile)
    assert ask_everybody(topic, PageChoice.RANDOM, mira, PAGES) == PAGES - 1
    assert len(drawn) == 2 and drawn[0][0][2] not in asked(topic, mira)
