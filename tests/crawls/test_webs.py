"""Recorded webs in the browser: uploaded, looked at, shared, deleted, each by whom it may."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import AbstractUser
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apps.crawls.models import Web
from apps.crawls.webs import webs_folder
from apps.topics.models import Topic, Upload
from apps.topics.uploads import read_upload
from tests.crawl_rows import made_crawl
from tests.people import person, site_of

pytestmark = pytest.mark.django_db

PAGES = "\n".join(
    json.dumps({"url": f"http://a.test/{n}", "html": "<p>Rye", "topics": ["bread", f"t{n % 2}"]})
    for n in (1, 2, 3, 3)
)


def place(name: str, web: Web | None = None) -> str:
    return reverse(f"webs:{name}", args=[web.pk] if web else [])


@pytest.fixture
def ada() -> AbstractUser:
    return person("ada")


@pytest.fixture
def web(ada: AbstractUser, data_dir: Path) -> Web:
    """A web that ada has uploaded."""
    file = SimpleUploadedFile("coast.jsonl", PAGES.encode())
    assert site_of(ada).post(place("list"), {"file": file}).url == place("list")
    read_upload(Upload.objects.get().pk)
    return Web.objects.get(name="coast")


def test_the_list_and_the_web_say_what_is_in_it(ada, web: Web) -> None:
    listed = site_of(ada).get(place("list")).content.decode()
    assert place("web", web) in listed
    page = site_of(ada).get(place("web", web)).content.decode()
    assert "bread 3" in page and "t1 2" in page
    assert "from coast.jsonl" in page
    assert "1: an address that came before" in page and "Line 4: <code>http://a.test/3" in page


def test_a_refused_upload_says_so_at_the_field(ada, web: Web) -> None:
    file = SimpleUploadedFile("coast.jsonl", PAGES.encode())
    page = site_of(ada).post(place("list"), {"file": file}).content.decode()
    assert "There is a web coast already: choose another name." in page
    assert "Choose a file." in site_of(ada).post(place("list"), {"name": "x"}).content.decode()


def test_a_bad_file_is_shown_until_it_is_taken_off_the_list(ada, data_dir: Path) -> None:
    site_of(ada).post(place("list"), {"file": SimpleUploadedFile("coast.jsonl", b"{\n")})
    read_upload(Upload.objects.get().pk)
    page = site_of(ada).get(place("list"), follow=True).content.decode()
    assert "Not taken." in page and "line 1 is no JSON" in page
    site_of(ada).post(reverse("topics:withdraw", args=[Upload.objects.get().pk]))
    assert "Not taken." not in site_of(ada).get(place("list")).content.decode()


def test_it_is_its_owners_until_it_is_shared(ada, web: Web) -> None:
    bob = site_of(person("bob"))
    for name in ("web", "delete"):
        assert bob.get(place(name, web)).status_code == 404
    assert "coast" not in bob.get(place("list")).content.decode()
    site_of(ada).post(place("action", web), {"action": "share"})
    assert bob.get(place("web", web)).status_code == 200
    assert bob.post(place("delete", web)).status_code == 404
    assert bob.post(place("action", web), {"action": "unshare"}).status_code == 404
    topic = Topic.objects.create(owner=person("eve"), name="Rye")
    form = site_of(topic.owner).get(reverse("topics:edit", args=[topic.pk])).content.decode()
    assert "coast" in form
    site_of(ada).post(place("action", web), {"action": "unshare"})
    assert bob.get(place("web", web)).status_code == 404


def test_it_goes_with_its_pages_once_nothing_uses_it(ada, web: Web) -> None:
    topic = Topic.objects.create(owner=ada, name="Rye", web=web)
    crawl = made_crawl(topic, web=web)
    page = site_of(ada).post(place("delete", web), follow=True).content.decode()
    assert "1 crawl and 1 topic on it: delete those first." in page
    assert (webs_folder() / "coast").is_dir()
    crawl.delete()
    topic.delete()
    assert "There is no way back" in site_of(ada).get(place("delete", web)).content.decode()
    site_of(ada).post(place("delete", web))
    assert not Web.objects.filter(pk=web.pk).exists()
    assert not (webs_folder() / "coast").exists()


def test_a_web_whose_folder_is_gone_says_so(ada, web: Web) -> None:
    (webs_folder() / "coast").rename(webs_folder() / "gone")
    assert "holds no finished web" in site_of(ada).get(place("web", web)).content.decode()
    assert site_of(ada).get(place("list")).status_code == 200


def test_everybodys_webs_are_an_administrators_to_delete(ada, web: Web) -> None:
    Web.objects.update(owner=None)
    assert site_of(ada).get(place("delete", web)).status_code == 404
    site_of(person("root", is_superuser=True)).post(place("delete", web))
    assert not Web.objects.filter(pk=web.pk).exists()
