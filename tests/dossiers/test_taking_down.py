"""A host taken down: hidden everywhere at once, kept out, shown again or erased for good."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from apps.collection.models import Entry, MainText
from apps.collection.searched_crawls import crawls_of_topic
from apps.crawls import services
from apps.crawls.models import Crawl, Fence, HostFence, Page
from apps.crawls.pages.bodies import Bodies, stored_answer
from apps.crawls.pages.folder import crawl_folder
from apps.crawls.pages.recorded_web import web_of_pages
from apps.dossiers import taking_down
from apps.dossiers.models import TakeDown
from apps.dossiers.taking_down import TakeDownRefused, erase_due, in_force, loss_of, take_down
from apps.engine.networking.page_store.records import digest_of
from apps.hosts.models import HostSummary
from apps.hosts.services import decide
from apps.hosts.tasks import count_here
from apps.jobs import queue
from apps.schemas.refused import Refused
from apps.topics.models import Topic
from apps.watches.digests import begin_digests, compose
from apps.watches.models import Digest
from apps.watches.signals import matches_asked
from apps.watches.subscriptions import feed_of
from apps.webs.models import Web
from apps.webs.opening import open_web
from tests.crawl_rows import made_topic
from tests.crawls.run_here import bread, made_web, new_crawl, run
from tests.made_web import MadeWeb
from tests.people import Program, person, site_of
from tests.served_web import served
from tests.watch_fixtures import START, fill_watch, made_watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.alike]
HOST = "h1.test"
MADE = MadeWeb(pages=80, hosts=4)


def carry_out(row: TakeDown) -> TakeDown:
    row.refresh_from_db()
    queue.claim_here(row)
    row.refresh_from_db()
    taking_down.carry_out(row)
    row.refresh_from_db()
    assert row.job_state == TakeDown.State.DONE, row.job_problem
    return row


@pytest.fixture
def crawl(data_dir: Path) -> Iterator[Crawl]:
    """A crawl over HTTP, whose pages are in a collection."""
    with served(MADE, data_dir / "access.log") as site:
        web = made_web(data_dir, MADE)
        topic = bread(person("ada"), web, MADE)
        Web.objects.update(served_port=site.port)
        crawl = new_crawl(topic, strategy="breadth_first", budget=60, politeness={"delay": 0})
        Crawl.objects.filter(pk=crawl.pk).update(over="http")
        crawl.refresh_from_db()
        crawl = run(crawl)
        crawls_of_topic(topic.owner, topic.pk)
        yield crawl


def shown(topic: Topic, path: str) -> str:
    return site_of(topic.owner).get(path).content.decode()


def packed(crawl: Crawl) -> bytes:
    """All that the crawl's files hold."""
    files = sorted(crawl_folder(crawl.pk).glob("*.warc.gz"))
    return b"".join(gzip.decompress(file.read_bytes()) for file in files)


def test_a_host_is_hidden_at_once_and_erased_after_a_week(crawl: Crawl) -> None:
    topic, ada = crawl.topic, crawl.topic.owner
    web = web_of_pages(crawl)
    taken = list(Page.objects.filter(crawl=crawl, host=HOST))
    others = list(Page.objects.filter(crawl=crawl).exclude(host=HOST))
    bodies = {page.pk: digest_of(stored_answer(crawl, page).body) for page in others}
    text = stored_answer(crawl, taken[0]).body
    assert len(taken) > 5 and text in packed(crawl)
    MainText.objects.create(page_id=taken[0].pk, crawl=crawl, blocks=b"", signs=[])

    assert loss_of(ada, HOST).pages == len(taken)
    asked = shown(topic, f"/topics/{topic.pk}/hosts/{HOST}/take-down/")
    assert f"{len(taken)} pages and 0 versions are deleted in 1 topic" in asked
    site_of(ada).post(f"/topics/{topic.pk}/hosts/{HOST}/take-down/")
    row = TakeDown.objects.get()
    assert (row.by, row.pages, row.everywhere, row.topics) == (ada, len(taken), False, [topic.pk])

    # At once: lists, searches, pages, downloads.
    assert not Page.objects.filter(host=HOST).exists()
    assert not Entry.objects.filter(host=HOST).exists()
    assert taken[0].final_url not in shown(topic, f"/topics/{topic.pk}/collection/")
    page = f"/crawls/{crawl.pk}/pages/{taken[0].seq}/"
    assert site_of(ada).get(page).status_code == 404
    assert site_of(ada).get(f"{page}stored/").status_code == 404

    # In the background: webs made of the crawl, and the crawls that ask no more.
    carry_out(row)
    assert open_web(web).get(taken[0].final_url).status == 404
    assert open_web(web).get(others[0].final_url).status == 200
    assert crawl.hosts.get(host=HOST).excluded
    later = services.create_crawl(ada, topic, topic.web, strategy="breadth_first", budget=10)
    assert HOST in later.scope["deny_hosts"]
    assert "Hidden; erased on" in shown(topic, f"/topics/{topic.pk}/hosts/{HOST}/")

    # After a week nothing of the content is left, and everything of the others.
    assert not erase_due(timezone.now())
    assert erase_due(timezone.now() + timedelta(days=8))
    TakeDown.objects.update(erase_at=timezone.now())
    assert carry_out(row).erased_at is not None
    assert text not in packed(crawl)
    empty = Page.every.get(pk=taken[0].pk)
    assert (empty.title, empty.file, empty.digest, empty.url) == ("", "", "", taken[0].url)
    assert not MainText.objects.filter(page_id=empty.pk).exists()
    with Bodies(crawl) as store:
        assert store.answer(empty).body == b""
        assert {p.pk: digest_of(store.answer(p).body) for p in others} == bodies
    with pytest.raises(TakeDownRefused, match="erased"):
        taking_down.undo(row, person("root", is_superuser=True))
    # The record of what was asked stays.
    dossier = Program(ada).get(f"topics/{topic.pk}/hosts/{HOST}/dossier").json()
    assert len([r for r in dossier["requests"] if r["seq"]]) > 5
    assert "the record stays, empty" in shown(topic, f"/topics/{topic.pk}/hosts/{HOST}/")


def test_an_administrator_undoes_it(crawl: Crawl) -> None:
    topic = crawl.topic
    web = web_of_pages(crawl)
    before = set(Entry.objects.values_list("page_id", "address", "verdict"))
    page = Page.objects.filter(crawl=crawl, host=HOST).first()
    row = carry_out(take_down(topic.owner, topic, HOST))
    path = f"topics/{topic.pk}/hosts/{HOST}/take-down"
    assert Program(topic.owner).send("post", path).status_code == 409
    assert Program(topic.owner).send("delete", path).status_code in (409, 422)
    taking_down.undo(row, person("root", is_superuser=True))
    carry_out(row)
    assert set(Entry.objects.values_list("page_id", "address", "verdict")) == before
    assert stored_answer(crawl, Page.objects.get(pk=page.pk)).body
    assert open_web(web).get(page.final_url).status == 200
    assert in_force(topic, HOST) is None
    later = services.create_crawl(
        topic.owner, topic, topic.web, strategy="breadth_first", budget=10
    )
    assert later.scope["deny_hosts"] == []


def test_its_host_is_out_in_the_list_until_an_administrator_undoes_it(crawl: Crawl) -> None:
    topic = crawl.topic
    count_here(topic)
    rows = HostSummary.objects.filter(topic=topic, unit="host")
    assert set(rows.values_list("decision", flat=True)) == {""}
    decide(topic, [HOST], "in", topic.owner)
    row = carry_out(take_down(topic.owner, topic, HOST))
    assert list(rows.exclude(decision="").values_list("name", "decision")) == [(HOST, "out")]
    for state in ("in", "undecided"):
        with pytest.raises(Refused, match=f"{HOST} was taken down"):
            decide(topic, [HOST, "h2.test"], state, topic.owner)
    count_here(topic)
    assert rows.get(name=HOST).decision == "out"
    dossier = shown(topic, f"/topics/{topic.pk}/hosts/{HOST}/")
    assert "</span> Out</span>" in dossier
    taking_down.undo(row, person("root", is_superuser=True))
    assert rows.get(name=HOST).decision == "in"
    assert decide(topic, [HOST], "undecided", topic.owner).states[HOST] == ""


@pytest.mark.parametrize("name", ["a.test", "www.a.test", "a.test/~ann", "*.a.test", "*.b.a.test"])
def test_a_fence_holds_for_hosts_below_it(name: str) -> None:
    topic = made_topic(person("ada"))
    HostFence.objects.create(host="a.test", topic=topic)
    assert Fence(topic.pk).has(name) and not Fence(topic.pk).has("ba.test")


def test_a_killed_job_goes_on(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step that was cut off is done again from its beginning."""
    monkeypatch.setattr("apps.dossiers.withheld_pages.CHUNK", 4)
    row = take_down(crawl.topic.owner, crawl.topic, HOST)
    TakeDown.objects.update(erase_at=timezone.now())
    row.refresh_from_db()
    for beats in range(40):
        left = iter([True] * beats)
        crawls = Crawl.objects.filter(topic=crawl.topic)
        assert crawls.exists()
        if taking_down._carry_out(row, lambda left=left: next(left, False)):
            break
    assert beats > 3
    row.refresh_from_db()
    assert row.erased_at is not None
    assert not Page.every.filter(host=HOST).exclude(digest="").exists()


def test_who_may_take_down(crawl: Crawl) -> None:
    topic, eve = crawl.topic, person("eve")
    path = f"/topics/{topic.pk}/hosts/{HOST}/take-down/"
    assert site_of(eve).post(path).status_code == 404
    assert site_of(eve).post(f"{path}undo/").status_code == 404
    assert Program(eve).send("post", path.strip("/")).status_code == 404
    with pytest.raises(TakeDownRefused):
        take_down(eve, topic, HOST)
    root = person("root", is_superuser=True)
    assert loss_of(root, HOST).everywhere
    assert take_down(root, topic, HOST).everywhere
    assert json.dumps(TakeDown.objects.values_list("topics", flat=True).get()) == "[]"


def test_a_watch_shows_and_sends_nothing_of_a_host_that_is_taken_down(data_dir: Path) -> None:
    ada = person("ada")
    watch = made_watch(ada)
    visits = fill_watch(watch)
    begin_digests(START)
    digest = Digest.objects.get(visit=visits[1])
    compose(digest)
    feed = f"/watch/feed/{feed_of(watch, ada, START).secret}/"
    topic = watch.topic
    screens = (feed, f"/topics/{topic.pk}/watch/", f"/topics/{topic.pk}/watch/?part=visits")

    def all_texts() -> str:
        digest.refresh_from_db()
        read = [site_of(ada).get(screen) for screen in screens]
        assert {answer.status_code for answer in read} == {200}
        return json.dumps(digest.content) + "".join(answer.text for answer in read)

    before = all_texts()
    content = digest.content
    secrets = ("Forty-one towns", "16 January 2027", "Awards", "How to apply")
    assert all(secret in before for secret in secrets)
    row = carry_out(take_down(ada, topic, "grants.test"))
    after = all_texts()
    assert not [secret for secret in secrets if secret in after]
    assert digest.content["counts"] == content["counts"]
    taking_down.undo(row, person("root", is_superuser=True))
    carry_out(row)
    assert all(secret in all_texts() for secret in secrets) and digest.content == content


def test_a_host_that_is_taken_down_while_a_digest_is_composed_is_not_in_it(data_dir: Path) -> None:
    ada = person("ada")
    watch = made_watch(ada)
    visits = fill_watch(watch)
    begin_digests(START)
    digest = Digest.objects.get(visit=visits[1])

    def take_down_meanwhile(**_: object) -> None:
        carry_out(take_down(ada, watch.topic, "grants.test"))

    matches_asked.connect(take_down_meanwhile)
    try:
        compose(digest)
    finally:
        matches_asked.disconnect(take_down_meanwhile)
    digest.refresh_from_db()
    assert len(digest.content["pages"]) == 3 and digest.contains == "news"
    secrets = ("Forty-one towns", "16 January 2027", "Awards", "How to apply")
    assert not [secret for secret in secrets if secret in json.dumps(digest.content)]


def test_what_another_taking_down_holds_back_is_not_shown(crawl: Crawl) -> None:
    """An administrator undoes one of two: the pages stay hidden until the other is undone."""
    topic, root = crawl.topic, person("root", is_superuser=True)
    second = carry_out(take_down(topic.owner, topic, HOST))
    everywhere = TakeDown.objects.create(
        host=HOST, everywhere=True, by=root, at=timezone.now(), erase_at=second.erase_at
    )
    queue.enqueue(everywhere)
    carry_out(everywhere)
    for row in (everywhere, second):
        assert not Page.objects.filter(host=HOST).exists()
        assert not Entry.objects.filter(host=HOST).exists()
        taking_down.undo(row, root)
        carry_out(row)
    assert Page.objects.filter(host=HOST).exists() and Entry.objects.filter(host=HOST).exists()
