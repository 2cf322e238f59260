"""The screen on which a topic begins."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from apps.begin import services
from apps.begin.models import Draft
from apps.begin.tasks import gather_with
from apps.crawls.models import Crawl
from apps.engine.networking.webs.virtual_web import read
from apps.screens.begin import views
from apps.topics.examples.fetching import fetch_all
from apps.topics.models import Topic
from apps.webs.pages.indexing import write_index
from tests.background import work_on
from tests.made_web import MadeWeb
from tests.people import Program, person, site_of

MADE = MadeWeb(pages=120, hosts=6)
SENTENCE = "Bread from rye flour. Not planets."
FORM = {"description": SENTENCE, "keywords": "dough", "seeds": f"{MADE.url(0)}\n{MADE.url(4)}"}


def gathered(owner) -> Draft:
    client = site_of(owner)
    state = client.post("/topics/new/understand/", FORM).json()
    draft = Draft.objects.get(pk=state["draft"])
    gather_with(draft, lambda web: lambda urls: ((u, read(MADE, u)) for u in urls), lambda: True)
    return draft


def test_what_is_typed_is_understood(owner) -> None:
    state = site_of(owner).post("/topics/new/understand/", FORM).json()
    assert state["name"] == "Bread from rye flour"
    assert "planets" in state["parts"]["understood"]
    again = site_of(owner).post("/topics/new/understand/", {**FORM, "draft": state["draft"]}).json()
    assert again["draft"] == state["draft"]


def test_pages_are_answered_and_the_start_opens_the_live_page(owner, data_dir) -> None:
    draft, client = gathered(owner), site_of(owner)
    rows = client.get(f"/topics/new/{draft.pk}/").json()["rows"]
    assert "<mark>" in rows[0]["html"]
    sent = {"page": rows[0]["id"], "answer": "yes"}
    state = client.post(f"/topics/new/{draft.pk}/answer/", sent).json()
    assert state["start"] == "Start"
    assert rows[0]["id"] not in [row["id"] for row in state["rows"]]
    done = client.post("/topics/new/", {**FORM, "draft": draft.pk, "start": "1"})
    crawl = Crawl.objects.get()
    assert done["Location"] == f"/crawls/{crawl.pk}/"
    assert crawl.topic.keywords == ["dough"]
    page = client.get(f"/topics/{crawl.topic_id}/").content.decode()
    assert f"/topics/{crawl.topic_id}/queries/" in page
    assert client.get(f"/topics/{crawl.topic_id}/queries/").status_code == 200


def test_an_empty_form_is_refused_with_what_to_do(owner) -> None:
    answer = site_of(owner).post("/topics/new/", {"start": "1"})
    assert answer.status_code == 422
    assert "Write a sentence." in answer.content.decode()


def test_all_fields_and_back_keep_everything(owner) -> None:
    client = site_of(owner)
    sent = {**FORM, "draft": "7", "removed": "oven", "from_begin": "1"}
    full = client.post("/topics/new/all/", sent).content.decode()
    assert SENTENCE in full
    assert 'name="removed" value="oven"' in full
    back = client.post("/topics/new/", {**FORM, "positives": MADE.url(8)}).content.decode()
    assert SENTENCE in back
    assert f'name="positives" hidden>{MADE.url(8)}</textarea>' in back


def test_a_second_language_survives_the_way_to_all_fields_and_back(owner, data_dir) -> None:
    client = site_of(owner)
    sent = {**FORM, "language": "de", "language_also": "en"}
    for address, more in (("/topics/new/all/", {"from_begin": "1"}), ("/topics/new/", {})):
        page = client.post(address, {**sent, **more}).content.decode()
        assert '<option value="de" selected>' in page
        assert '<option value="en" selected>' in page
    client.post("/topics/new/", {**sent, "save": "1"})
    assert owner.topics.get().language == "de en"


def test_lists_of_a_file_taken_as_examples_are_in_the_topic_and_the_full_form(
    owner, data_dir
) -> None:
    client, sent = site_of(owner), {**FORM, "negatives": MADE.url(8)}
    page = client.post("/topics/new/", sent).content.decode()
    assert f'name="negatives" hidden>{MADE.url(8)}</textarea>' in page
    full = client.post("/topics/new/all/", {**sent, "from_begin": "1"}).content.decode()
    assert MADE.url(8) in full


def test_a_sentence_alone_puts_the_cursor_where_an_address_is_needed(owner) -> None:
    sent = {"description": SENTENCE, "start": "1"}
    page = site_of(owner).post("/topics/new/", sent)
    assert page.status_code == 422
    html = page.content.decode()
    assert html.count("autofocus") == 1
    assert html.index('id="id_seeds"') < html.index("autofocus") < html.index("id_seeds_error")
    assert "Give one address you know" in html


def test_a_sentence_alone_waits_for_the_pages_of_a_recorded_web(owner, web, data_dir) -> None:
    write_index(web)
    sent = {"description": "dough and flour", "start": "1"}
    page = site_of(owner).post("/topics/new/", sent).content.decode()
    assert "It starts with the first pages that fit." in page
    assert 'name="awaited" value="1"' in page
    draft = Draft.objects.get()
    state = site_of(owner).get(f"/topics/new/{draft.pk}/").json()
    assert (state["is_gathering"], state["read"]) == (True, 0)
    gather_with(draft, fetch_all, lambda: True)
    done = site_of(owner).post("/topics/new/", {**sent, "draft": draft.pk, "awaited": "1"})
    assert done["Location"] == f"/crawls/{Crawl.objects.get().pk}/"


def test_an_unfinished_beginning_is_offered_and_opened_again(owner) -> None:
    draft = gathered(owner)
    client = site_of(owner)
    assert f'href="?draft={draft.pk}"' in client.get("/topics/new/").content.decode()
    page = client.get(f"/topics/new/?draft={draft.pk}").content.decode()
    assert SENTENCE in page
    other = site_of(person("eve")).get(f"/topics/new/?draft={draft.pk}").content.decode()
    assert SENTENCE not in other


def test_a_job_that_no_worker_takes_is_reported(owner) -> None:
    client = site_of(owner)
    state = client.post("/topics/new/understand/", {**FORM, "gather": "1"}).json()
    assert "no worker answers" not in state["parts"]["bar"]
    late = timezone.now() - timedelta(seconds=11)
    Draft.objects.filter(pk=state["draft"]).update(job_asked_at=late)
    state = client.get(f"/topics/new/{state['draft']}/").json()
    assert "Queued: no worker answers. Start one: manage.py up" in state["parts"]["bar"]


def test_lists_of_the_full_form_are_in_the_topic(owner, data_dir) -> None:
    sent = {**FORM, "positives": MADE.url(8), "save": "1"}
    site_of(owner).post("/topics/new/", sent)
    assert [e.url for e in owner.topics.get().examples.all()] == [MADE.url(8)]


def test_a_draft_is_its_owners_alone(owner) -> None:
    draft = gathered(owner)
    other = site_of(person("eve"))
    assert other.get(f"/topics/new/{draft.pk}/").status_code == 404
    sent = {"page": draft.candidates.first().pk, "answer": "yes"}
    assert other.post(f"/topics/new/{draft.pk}/answer/", sent).status_code == 404
    state = other.post("/topics/new/understand/", {**FORM, "draft": draft.pk}).json()
    assert state["draft"] != draft.pk


def test_programs_begin_with_a_sentence_too(owner, data_dir) -> None:
    sent = {"description": SENTENCE, "keywords": ["dough"], "seeds": [MADE.url(0), "www,b.example"]}
    answer = Program(owner).send("post", "topics/begin", sent)
    assert answer.status_code == 201, answer.content
    begun = answer.json()
    assert begun["seeds"] == [MADE.url(0)]
    assert begun["untaken"][0]["line"] == 2
    assert Crawl.objects.get(pk=begun["crawl"]).state == "queued"
    refused = Program(owner).send("post", "topics/begin", {"description": SENTENCE})
    assert refused.status_code == 422
    assert "No page to begin from" in refused.json()["message"]


def test_programs_begin_with_a_sentence_alone_as_people_do(owner, web, data_dir) -> None:
    write_index(web)
    program = Program(owner)
    answer = program.send("post", "topics/begin", {"description": "dough and flour"})
    assert answer.status_code == 202, answer.content
    draft = Draft.objects.get(pk=answer.json()["id"])
    assert not owner.topics.exists()
    work_on(draft)
    begun = program.get(f"topics/begin/{draft.pk}").json()
    assert begun["state"] == "done" and begun["read"]
    assert Crawl.objects.get(pk=begun["crawl"]).state == "queued"
    work_on(draft)  # delivered once more
    assert owner.topics.count() == 1
    assert Program(person("eve")).get(f"topics/begin/{draft.pk}").status_code == 404


def test_what_cannot_start_by_itself_has_a_reason(owner, web, data_dir, settings) -> None:
    write_index(web)
    program = Program(owner)
    number = program.send("post", "topics/begin", {"description": "dough"}).json()["id"]
    settings.MOST_TOPICS = 0
    work_on(Draft.objects.get(pk=number))
    begun = program.get(f"topics/begin/{number}").json()
    assert (begun["state"], begun["crawl"]) == ("failed", None)
    assert "may have 0 topics" in begun["problem"]


def send_at_once(owner: Any, sent: dict[str, str], count: int = 2) -> set[str]:
    """Where the same form leads, sent by so many threads at one moment."""
    sites, ready = [site_of(owner) for _ in range(count)], Barrier(count)

    def send(site: Client) -> str:
        try:
            ready.wait()
            answer = site.post("/topics/new/", sent)
            assert answer.status_code == 302, answer.content.decode()
            return str(answer.headers["Location"])
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as persons:
        return {*persons.map(send, sites)}


@pytest.mark.parametrize("has_key", [True, False], ids=["a stored draft", "never stored"])
def test_a_form_sent_twice_at_once_starts_one_crawl_of_one_topic(
    transactional_db, owner, data_dir, has_key: bool
) -> None:
    page = site_of(owner).get("/topics/new/").content.decode()
    token = re.search(r'name="form_token" value="(\w{32})"', page)
    assert token is not None
    typed = {"description": "Old tractors", "seeds": "https://a.example/", "start": "1"}
    sent = {**typed, "form_token": token[1]}
    if has_key:
        sent["draft"] = str(Draft.objects.create(owner=owner).pk)
    (address,) = send_at_once(owner, sent)
    (crawl,) = Crawl.objects.all()
    assert Topic.objects.get() == crawl.topic
    assert address == f"/crawls/{crawl.pk}/"
    # Changed and sent again, also at once, it begins one topic more.
    (other,) = send_at_once(owner, {**sent, "description": "Old barns"})
    assert other != address
    assert (Topic.objects.count(), Crawl.objects.count(), Draft.objects.count()) == (2, 2, 2)


@pytest.mark.parametrize("has_seeds", [True, False], ids=["at once", "after gathering"])
def test_a_program_begins_once_by_its_key(
    transactional_db, owner, web, data_dir, has_seeds: bool
) -> None:
    write_index(web)
    sent = {"description": "dough and flour"}
    if has_seeds:
        sent["seeds"] = [MADE.url(0)]
    program, ready = Program(owner), Barrier(2)

    def send(body: dict[str, Any], key: str) -> Any:
        return program.send("post", "topics/begin", body, {"Idempotency-Key": key})

    def send_with_other(_: int) -> Any:
        try:
            ready.wait()
            return send(sent, "one").json()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as programs:
        first, second = programs.map(send_with_other, range(2))
    assert Draft.objects.count() == 1
    if not has_seeds:
        assert first["id"] == second["id"]
        work_on(Draft.objects.get())
        first = second = send(sent, "one").json()
    assert Topic.objects.get().pk == first["id"] == second["id"]
    assert Crawl.objects.get().pk == first["crawl"] == second["crawl"]
    refused = send({**sent, "keywords": ["yeast"]}, "one")
    assert refused.status_code == 422 and refused.json()["field"] == "Idempotency-Key"
    assert send({**sent, "seeds": [MADE.url(1)]}, "two").status_code == 201
    assert Topic.objects.count() == 2


def test_a_key_is_free_again_after_a_refusal(owner, data_dir) -> None:
    program, key = Program(owner), {"Idempotency-Key": "one"}
    assert program.send("post", "topics/begin", {}, key).status_code == 422
    sent = {"description": SENTENCE, "seeds": [MADE.url(0)]}
    assert program.send("post", "topics/begin", sent, key).status_code == 201
    too_long = program.send("post", "topics/begin", sent, {"Idempotency-Key": "x" * 201})
    assert too_long.status_code == 422 and too_long.json()["field"] == "Idempotency-Key"


def test_another_form_of_the_same_draft_sent_meanwhile_begins_a_topic_of_its_own(
    owner, data_dir, monkeypatch
) -> None:
    site, key = site_of(owner), Draft.objects.create(owner=owner).pk
    typed = {"seeds": "https://a.example/", "start": "1", "draft": key, "form_token": "once"}
    seek, locations = services.seek_first_pages, []

    def seek_while_another_is_sent(draft: Draft, has_waited: bool) -> bool:
        monkeypatch.setattr(services, "seek_first_pages", seek)
        locations.append(site.post("/topics/new/", {**typed, "description": "Old barns"}).url)
        return seek(draft, has_waited)

    monkeypatch.setattr(services, "seek_first_pages", seek_while_another_is_sent)
    locations.append(site.post("/topics/new/", {**typed, "description": "Old mills"}).url)
    assert locations == [f"/crawls/{crawl.pk}/" for crawl in Crawl.objects.order_by("pk")]
    names = Topic.objects.order_by("pk").values_list("description", flat=True)
    assert list(names) == ["Old barns", "Old mills"]


@pytest.mark.parametrize("press", ["", "save", "start"])
def test_no_crawl_waits_for_a_form_that_is_understood_and_rendered(
    transactional_db, owner, data_dir, monkeypatch, press: str
) -> None:
    draft = gathered(owner)
    draft.candidates.filter(fetch="fetched").update(answer="yes")
    locked: dict[str, set[bool]] = {}

    def watch(module: Any, name: str) -> None:
        plain = getattr(module, name)

        def watched(*given: Any, **named: Any) -> Any:
            locked.setdefault(name, set()).add(connection.in_atomic_block)
            return plain(*given, **named)

        monkeypatch.setattr(module, name, watched)

    for name in ("read_typed", "understood_of", "render"):
        watch(views, name)
    for name in ("understand", "read_entries", "best_pages", "parse", "create_topic"):
        watch(services, name)
    sent = {**FORM, "draft": draft.pk, **({press: "1"} if press else {})}
    assert site_of(owner).post("/topics/new/", sent).status_code == (302 if press else 200)
    assert locked.pop("create_topic", {True}) == {True}
    assert {*locked} >= ({"parse", "understand"} if press else {"understood_of", "render"})
    assert all(each == {False} for each in locked.values()), locked


def test_a_form_sent_twice_starts_once_and_one_that_was_changed_starts_again(
    owner, data_dir
) -> None:
    site = site_of(owner)
    typed = {"description": "Old tractors", "seeds": "https://a.example/", "start": "1"}
    key = Draft.objects.create(owner=owner).pk
    first, second = (site.post("/topics/new/", {**typed, "draft": key}) for _ in range(2))
    assert first.url == second.url
    assert Topic.objects.filter(owner=owner).count() == 1
    saved = Draft.objects.create(owner=owner).pk
    alone = {"description": "Old mills", "save": "1", "draft": saved}
    assert site.post("/topics/new/", alone).url == site.post("/topics/new/", alone).url
    changed = site.post("/topics/new/", {**typed, "description": "Old barns", "draft": key})
    assert changed.url != first.url
    assert Topic.objects.filter(owner=owner).count() == 3
