"""The administrators' page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from apps.accounts import tokens
from apps.engine.networking.proxy import Proxy
from apps.jobs import installation
from crawlsite import __version__
from crawlsite.settings import VERSION
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person, site_of

pytestmark = pytest.mark.django_db
PAGE = "/administration/"


@pytest.fixture
def ada():
    return person("ada", is_superuser=True, is_staff=True)


@pytest.fixture
def site(ada) -> Client:
    return site_of(ada)


def act(site: Client, user, action: str):
    return site.post(reverse("accounts:person", args=[user.pk]), {"action": action}, follow=True)


def test_to_others_it_is_not_there(ada) -> None:
    eve = site_of(person("eve"))
    assert eve.get(PAGE).status_code == 404
    assert eve.post(PAGE, {"name": "x"}).status_code == 404
    assert eve.post(reverse("accounts:person", args=[ada.pk]), {"action": "off"}).status_code == 404
    assert PAGE not in eve.get("/topics/").content.decode()
    assert not get_user_model().objects.filter(username="x").exists()
    assert site_of(None).get(PAGE).url.startswith("/sign-in/")


def test_it_shows_people_disk_and_versions_in_tabs(site: Client, ada, data_dir: Path) -> None:
    crawl = made_crawl(made_topic(ada))
    folder = data_dir / "crawls" / str(crawl.pk)
    folder.mkdir(parents=True)
    (folder / "pages.warc.gz").write_bytes(b"x" * 5_000_000)
    page = site.get(PAGE)
    text = page.content.decode()
    assert PAGE in site.get("/topics/").content.decode()
    assert "ada" in text and "People <span>1</span>" in text
    assert (page.context["people"][0].topic_count, page.context["people"][0].crawl_count) == (1, 1)
    disk = site.get(PAGE + "disk/")
    assert disk.context["disk"].rooms[0].bytes == 5_000_000
    assert "fetched pages and checkpoints" in disk.content.decode()
    assert f"<code>{settings.DATA_DIR}</code>" in disk.content.decode()
    versions = site.get(PAGE + "versions/").content.decode()
    assert f'crawlsite</td><td>{VERSION} <span class="secondary">code' in versions
    assert "SQLite" in versions or "PostgreSQL" in versions
    eve = site_of(person("eve"))
    for part in ("disk/", "versions/"):
        assert f'href="{PAGE}{part}"' in text
        assert eve.get(PAGE + part).status_code == 404


def test_a_bucket_that_holds_the_files_is_named(site: Client, data_dir: Path, settings) -> None:
    assert "The files are in" not in site.get(PAGE + "disk/").content.decode()
    settings.S3_BUCKET = "crawled-pages"
    assert "The files are in the bucket crawled-pages;" in site.get(PAGE + "disk/").content.decode()


def test_a_new_person_gets_a_link_that_signs_in_once(site: Client) -> None:
    page = site.post(PAGE, {"name": "bob"})
    link = re.search(r'value="(http[^"]+)"', page.content.decode())[1]
    bob = Client()
    assert "Sign in as bob" in bob.get(link).content.decode()
    assert bob.post(link).status_code == 302
    assert bob.get("/topics/").status_code == 200
    assert Client().post(link).status_code == 410
    assert not get_user_model().objects.get(username="bob").is_superuser


def test_an_administrator_can_be_made(site: Client) -> None:
    site.post(PAGE, {"name": "bob", "administrator": "on"})
    assert get_user_model().objects.get(username="bob").is_superuser


@pytest.mark.parametrize("name", ["", "a b", "<script>", "ada", "x" * 151])
def test_a_name_that_cannot_be_taken_is_refused_in_words(site: Client, name: str) -> None:
    before = get_user_model().objects.count()
    page = site.post(PAGE, {"name": name})
    assert page.context["refusal"]
    assert get_user_model().objects.count() == before


def test_switching_off_ends_every_way_in_at_once_and_keeps_what_is_theirs(site: Client) -> None:
    bob = person("bob", password="a long enough password")
    topic = made_topic(bob)
    browser = site_of(bob)
    _, token = tokens.make_token(bob, "a")
    assert browser.get("/topics/").status_code == 200
    assert "signed out everywhere" in act(site, bob, "off").content.decode()
    assert browser.get("/topics/").status_code == 302
    assert not browser.login(username="bob", password="a long enough password")
    assert tokens.token_user(token) is None
    topic.refresh_from_db()
    act(site, bob, "on")
    assert browser.login(username="bob", password="a long enough password")


def test_a_link_made_before_switching_off_signs_nobody_in(site: Client) -> None:
    page = site.post(PAGE, {"name": "bob"})
    link = page.context["link"]
    act(site, get_user_model().objects.get(username="bob"), "off")
    assert Client().post(link).status_code == 410


def test_one_cannot_switch_off_oneself(site: Client, ada) -> None:
    assert "your own account" in act(site, ada, "off").content.decode()
    ada.refresh_from_db()
    assert ada.is_active


def test_an_action_there_is_not_is_refused(site: Client) -> None:
    assert "no such action" in act(site, person("bob"), "promote").content.decode()


def test_the_version_is_reported_in_one_way() -> None:
    import tomllib

    root = Path(__file__).parents[3]
    project = tomllib.loads((root / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "crawlsite/__init__.py"
    assert VERSION == __version__ == installation.versions()["crawlsite"]


def test_a_file_with_two_names_counts_once(data_dir: Path) -> None:
    (data_dir / "webs").mkdir()
    (data_dir / "webs" / "one").write_bytes(b"x" * 1000)
    (data_dir / "webs" / "two").hardlink_to(data_dir / "webs" / "one")
    assert {r.name: r.bytes for r in installation.disk_use().rooms}["webs"] == 1000


def test_the_tables_are_read_and_never_written(site: Client, ada) -> None:
    tokens.make_token(ada, "a")
    crawl = made_crawl(made_topic(ada))
    one = reverse("admin:crawls_crawl_change", args=[crawl.pk])
    for name in (
        "accounts_apitoken",
        "accounts_signinlink",
        "topics_topic",
        "topics_example",
        "crawls_crawl",
        "webs_web",
        "crawls_event",
        "crawls_change",
    ):
        assert site.get(reverse(f"admin:{name}_changelist")).status_code == 200
        assert site.get(reverse(f"admin:{name}_add")).status_code == 403
    assert site.get(one).status_code == 200
    assert site.post(one, {"budget": 5}).status_code == 403
    assert site.post(reverse("admin:crawls_crawl_delete", args=[crawl.pk])).status_code == 403
    token = reverse("admin:accounts_apitoken_change", args=[ada.api_tokens.get().pk])
    assert ada.api_tokens.get().digest not in site.get(token).content.decode()


def test_the_proxy_of_crawls_is_shown_without_its_password(site: Client, ada, settings) -> None:
    settings.CRAWL_PROXY = Proxy("http://ada:s3cr3t@proxy.example:3128")
    versions = site.get(PAGE + "versions/").content.decode()
    assert "proxy.example:3128" in versions and "s3cr3t" not in versions
