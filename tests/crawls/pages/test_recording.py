"""Webs of crawls' pages: asked for in the browser, made in the background, withdrawn."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from django.urls import reverse

from apps.accounts.sharing import share
from apps.crawls.commands.lifecycle.delete import delete
from apps.crawls.models import Crawl, Page, Recording
from apps.crawls.pages import recording
from apps.crawls.web_rows import web_row
from apps.engine.networking.webs.virtual_web import read
from apps.figures import quantities
from apps.jobs import progress_reporter
from apps.uploads.models import Upload
from apps.webs.links import is_counted
from apps.webs.models import Web
from apps.webs.opening import open_web, webs_folder
from tests.background import work_on
from tests.crawl_rows import made_crawl, made_topic
from tests.crawls.run_here import MADE
from tests.crawls.stored_crawl import fetched_over_http
from tests.people import Program, person, site_of

pytestmark = pytest.mark.django_db
LIST, FORM = reverse("webs:list"), reverse("webs:from_crawls")


@pytest.fixture
def world(data_dir: Path) -> SimpleNamespace:
    """Two crawls of ada's with pages 0 to 39 and 20 to 59 of the made web."""
    ada = person("ada")
    topic = made_topic(ada)
    first, second = (
        fetched_over_http(made_crawl(topic, state="finished"), 40, start) for start in (0, 20)
    )
    return SimpleNamespace(ada=ada, topic=topic, first=first, second=second)


def ask(person, *crawls: Crawl, **values: str) -> str:
    """The page that follows."""
    sent = {"crawls": [crawl.pk for crawl in crawls], **values}
    return site_of(person).post(FORM, sent, follow=True).content.decode()


def listed(person) -> str:
    return site_of(person).get(LIST).content.decode()


def test_pages_of_several_crawls_become_one_web_that_outlives_them(world) -> None:
    Page.objects.filter(crawl=world.first, seq__lte=5).update(relevant=True)
    page = ask(world.ada, world.first, world.second, name="both", label="good")
    assert "A worker will make it soon" in page and not Web.objects.filter(name="both").exists()
    work_on(Recording.objects.get())
    web = Web.objects.get(name="both")
    assert (web.owner, web.pages) == (world.ada, 60)
    assert web.made_of_crawls == [world.second.pk, world.first.pk]
    for crawl in (world.first, world.second):
        delete(crawl)
    opened = open_web(web)
    assert set(opened.urls()) == {MADE.url(i) for i in range(60)}
    for i in (0, 30, 59):
        assert read(opened, MADE.url(i)).body == MADE.get(MADE.url(i)).body
    assert [url for url in opened.urls() if opened.labels(url)] == [MADE.url(i) for i in range(5)]
    assert read(opened, "http://h0.test/again").final_url == MADE.url(20)
    opened.close()
    page = listed(world.ada)
    assert "A worker will make it soon" not in page
    assert f"from crawls #{world.second.pk} #{world.first.pk}" in page
    assert f">1</a> on {quantities.share(5 / 60)}" in page


def test_its_pages_are_indexed_and_its_links_counted_without_being_asked_for(world) -> None:
    ask(world.ada, world.first, name="mine")
    work_on(Recording.objects.get())
    web = Web.objects.get(name="mine")
    assert web_row(web, world.ada).links is None
    work_on(web.page_indexing)
    links = web_row(web, world.ada).links
    assert is_counted(web) and links
    assert f"{links:,}" in listed(world.ada)


def test_only_crawls_that_one_sees_and_that_store_pages_are_offered(world) -> None:
    on_record = made_crawl(
        world.topic, web=Web.objects.create(name="w", source="folder"), over="record", pages=10
    )
    bob = person("bob")
    assert "No crawl of the live Web" in site_of(bob).get(FORM).content.decode()
    ask(bob, world.first)
    assert not Recording.objects.exists()
    preset = f"{FORM}?crawl={world.first.pk}&crawl=x&crawl=99"
    page = site_of(world.ada).get(preset).content.decode()
    assert f'value="{world.first.pk}" checked' in page and f'value="{world.second.pk}">' in page
    assert f'value="{on_record.pk}"' not in page
    share(world.topic, "bob")
    hidden = fetched_over_http(made_crawl(made_topic(world.ada, "Rye")))
    assert "no such crawl with stored pages" in ask(bob, world.first, hidden)
    assert "A worker will make it soon" in ask(bob, world.first, name="bobs")
    work_on(Recording.objects.get())
    assert Web.objects.get(name="bobs").owner == bob


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"crawls": []}, "Choose at least one crawl."),
        ({"name": "no web!"}, "cannot name a web"),
        ({"name": "live"}, "There is a web live already"),
        ({"name": "taken"}, "A web taken is being made now"),
        ({"name": "uploading"}, "A file is being imported as uploading now"),
        ({"label": "two words"}, "Give letters, digits, dashes and underscores, up to 40."),
        ({"label": "good"}, "No judge of these crawls calls a page relevant"),
    ],
)
def test_what_cannot_be_made_is_refused_at_its_field(world, values, message) -> None:
    ask(world.ada, world.first, name="taken")
    Upload.objects.create(
        owner=world.ada, kind="web", name="uploading", size=1, job_state="waiting"
    )
    page = site_of(world.ada).post(FORM, {"crawls": [world.first.pk], **values}).content.decode()
    assert message in page.replace("&#x27;", "'") and "No web is made yet." in page
    assert Recording.objects.count() == 1


@pytest.mark.parametrize("trouble", ["gone file", "gone crawl", "taken name"])
def test_what_goes_wrong_is_reported_and_leaves_nothing(world, trouble: str) -> None:
    ask(world.ada, world.first, name="mine")
    if trouble == "gone file":
        Page.objects.filter(crawl=world.first, seq=20).update(file="gone.warc.gz")
    elif trouble == "gone crawl":
        delete(world.first)
    else:
        Web.objects.create(name="mine", source="folder", folder="other", pages=1, hosts=1)
    work_on(Recording.objects.get())
    message = {
        "gone file": "no such file",
        "gone crawl": f"Crawl #{world.first.pk} has no stored",
        "taken name": "There is a web mine already",
    }[trouble]
    page = listed(world.ada)
    assert "Not made" in page and message in page
    assert not Web.objects.filter(owner=world.ada).exists()
    assert not [*webs_folder().glob("mine*")]
    site_of(world.ada).post(reverse("webs:withdraw_recording", args=[Recording.objects.get().pk]))
    assert "Not made" not in listed(world.ada)


def test_one_that_is_withdrawn_while_it_is_made_leaves_nothing(world, monkeypatch) -> None:
    ask(world.ada, world.first, name="mine")
    job = Recording.objects.get()
    bob = site_of(person("bob"))
    address = reverse("webs:withdraw_recording", args=[job.pk])
    assert bob.post(address).status_code == 404
    written = recording.write_web

    def withdrawn(*args, **options) -> None:
        written(*args, **options)
        site_of(world.ada).post(address)

    monkeypatch.setattr(recording, "write_web", withdrawn)
    work_on(job)
    assert not Recording.objects.exists() and not Web.objects.filter(name="mine").exists()
    assert not [*webs_folder().glob("mine*")]


def test_a_worker_that_is_asked_to_stop_stops_while_it_reads(world, monkeypatch) -> None:
    monkeypatch.setattr(progress_reporter, "REPORT_EVERY", -1)
    ask(world.ada, world.first, name="mine")
    monkeypatch.setattr(recording.queue, "heartbeat", lambda job, **progress: False)
    work_on(Recording.objects.get())
    assert not Web.objects.filter(name="mine").exists() and not [*webs_folder().glob("mine*")]


def test_a_program_makes_one_and_follows_it(world) -> None:
    ada, eve = Program(world.ada), Program(person("eve"))
    assert eve.send("post", "webs/from-crawls", {"crawls": [world.first.pk]}).status_code == 422
    made = ada.send("post", "webs/from-crawls", {"crawls": [world.first.pk]}).json()
    assert (made["name"], made["state"]) == (f"crawl-{world.first.pk}", "waiting")
    path = f"webs/from-crawls/{made['id']}"
    for method in ("get", "delete"):
        assert eve.send(method, path).status_code == 404
    work_on(Recording.objects.get())
    assert (ada.get(path).json()["state"], ada.get(path).json()["done"]) == ("done", 40)
    web = Web.objects.get(name=made["name"])
    shown = ada.get(f"webs/{web.pk}").json()
    assert (shown["made_of_crawls"], shown["labelled"], shown["links"]) == (
        [world.first.pk],
        0,
        None,
    )
    assert ada.send("delete", path).status_code == 204 and Web.objects.filter(pk=web.pk).exists()
