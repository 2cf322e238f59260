"""Recorded webs in the browser: uploaded, looked at, shared, deleted, each by whom it may."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.urls import reverse

from apps.crawls.web_rows import web_row
from apps.figures.quantities import share
from apps.topics.models import Topic
from apps.uploads.models import Upload
from apps.uploads.services import take_upload
from apps.webs.importing import import_web
from apps.webs.labels import LabelCounts, labels_of
from apps.webs.listing import web_listing
from apps.webs.models import LabelText, Web
from apps.webs.opening import webs_folder
from tests.background import work_on
from tests.crawl_rows import made_crawl
from tests.deletions import finish_deletions
from tests.people import person, site_of

pytestmark = pytest.mark.django_db

PAGES = "\n".join(
    json.dumps({"url": f"http://a.test/{n}", "html": "<p>Rye", "topics": ["bread", f"t{n % 2}"]})
    for n in (1, 2, 3, 3)
)


def url_of(name: str, web: Web | None = None) -> str:
    return reverse(f"webs:{name}", args=[web.pk] if web else [])


@pytest.fixture
def ada() -> User:
    return person("ada")


@pytest.fixture
def web(ada: User, data_dir: Path) -> Web:
    """A web that ada has uploaded."""
    file = SimpleUploadedFile("coast.jsonl", PAGES.encode())
    assert site_of(ada).post(url_of("list"), {"file": file}).url == url_of("list")
    work_on(Upload.objects.get())
    return Web.objects.get(name="coast")


def test_the_list_and_the_web_show_what_is_in_it(ada, web: Web) -> None:
    listed = site_of(ada).get(url_of("list")).content.decode()
    assert url_of("web", web) in listed
    # The totals are fetched again with the list when an upload ends.
    totals = listed.partition('id="webs-totals" data-live')[2]
    assert totals.startswith("><span>1 recorded web, 3 pages")
    assert f'<a href="{url_of("file", web)}">1 line of its file left out</a>' in listed
    # Only the form of a topic goes to the pages of a web and comes back.
    assert 'name="browse"' not in listed
    page = site_of(ada).get(url_of("labels", web)).content.decode()
    assert ">bread</a></td>" in page and ">t1</a></td>" in page
    page = site_of(ada).get(url_of("file", web)).content.decode()
    assert "from coast.jsonl" in page
    assert "1: an address that was listed before" in page
    assert "Line 4: <code>http://a.test/3" in page


def test_the_parts_of_a_web_stand_beside_its_labels(ada, data_dir: Path) -> None:
    lines = [
        {"url": f"http://{split}.test/{n}", "html": "x", "topics": [label], "split": split}
        for split, label, pages in (("north", "student", 3), ("south", "student", 2))
        for n in range(pages)
    ]
    path = data_dir / "parts.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    web = import_web("parts", path, owner=ada)[0]
    page = re.sub(r"\s+", " ", site_of(ada).get(url_of("labels", web)).content.decode())
    assert re.findall(r"<th [^>]*>(north|south)</th>", page) == ["north", "south"]
    numbers = re.findall(r'<td class="number[a-z -]*">(\d+)</td>', page)
    assert numbers == ["5", "3", "2"]


def test_a_list_of_labels_is_taken_back_by_the_webs_owner(ada, web: Web) -> None:
    list_of_one = SimpleUploadedFile("rye.csv", b"url,label\nhttp://a.test/1,rye")
    upload = take_upload(ada, Upload.Kind.LABELS, "", list_of_one, web=web)
    work_on(upload)
    at = reverse("webs:take_back", args=[web.pk, upload.pk])
    site = site_of(ada)
    assert f'href="{at}"' in site.get(url_of("file", web)).content.decode()
    assert "1 label of 1 page go" in site.get(at).content.decode()
    assert site_of(person("bob")).post(at).status_code == 404
    topic = Topic.objects.create(owner=ada, name="Rye", web=web, web_label="rye")
    refused = site.post(at, follow=True).content.decode()
    assert "rye is the true label of a topic" in refused
    web.refresh_from_db()
    assert web_row(web, ada).labels["rye"] == 1
    topic.delete()
    assert "1 label of rye.csv taken back." in site.post(at, follow=True).content.decode()
    web.refresh_from_db()
    assert "rye" not in web_row(web, ada).labels
    assert not Upload.objects.filter(pk=upload.pk).exists()
    assert site.get(at).status_code == 404


def test_the_list_names_what_each_web_is_used_by_and_is_searched_by_name_and_label(
    ada, web
) -> None:
    Topic.objects.create(owner=ada, name="Rye bread", web=web)

    def listed(query: str) -> str:
        page = site_of(ada).get(url_of("list") + query).content.decode()
        return " ".join(page[page.index('id="webs"') : page.index('id="upload"')].split())

    page = listed("")
    assert "Rye bread</a>" in page and f'{url_of("labels", web)}">3</a>' in page
    assert ">coast</a>" in listed("?q=brea") and ">coast</a>" in listed("?q=COA&whose=yours")
    assert ">coast</a>" not in listed("?q=zzz") and ">coast</a>" not in listed("?whose=others")
    assert "Show all webs" in listed("?q=zzz")


def test_a_note_is_one_line_of_whoever_may_change_the_web(ada, web: Web) -> None:
    at, script = url_of("note", web), {"Accept": "application/json"}
    message = site_of(ada).post(at, {"note": " dunes,\n spring "}, headers=script).json()
    assert message == {"note": "dunes, spring"}
    site = site_of(ada)
    listed = site.get(url_of("list"), {"q": "DUNES"}).content.decode()
    for shown in (listed, site.get(url_of("labels", web)).content.decode()):
        assert ">dunes, spring</span>" in shown and f'data-note="{at}"' in shown
    too_long = site.post(at, {"note": "x" * 201}, headers=script)
    assert (too_long.status_code, too_long.json()) == (
        422,
        {"message": "At most 200 characters; this note has 201."},
    )
    assert site_of(person("bob")).post(at, {"note": "mine"}).status_code == 404
    Web.objects.update(owner=None)
    assert site.post(at, {"note": "mine"}).status_code == 404
    for shown in (url_of("list"), url_of("labels", web)):
        assert f'data-note="{at}"' not in site.get(shown).content.decode()
    assert site_of(person("root", is_superuser=True)).post(at, {"note": ""}).url == url_of("list")
    web.refresh_from_db()
    assert web.note == ""


def test_the_demo_webs_labels_are_counted(ada, data_dir: Path) -> None:
    demo = Web.objects.create(name="demo", source=Web.Source.DEMO, seed=1, pages=20_000)
    row = web_row(demo, ada)
    assert len(row.labels) > 3 and sum(row.labels.values()) > 15_000


def test_a_refused_upload_is_reported_at_the_field(ada, web: Web) -> None:
    file = SimpleUploadedFile("coast.jsonl", PAGES.encode())
    page = site_of(ada).post(url_of("list"), {"file": file}).content.decode()
    assert "There is a web coast already: choose another name." in page
    assert "Choose a file." in site_of(ada).post(url_of("list"), {"name": "x"}).content.decode()


def test_a_bad_file_is_shown_until_it_is_taken_off_the_list(ada, data_dir: Path) -> None:
    site_of(ada).post(url_of("list"), {"file": SimpleUploadedFile("coast.jsonl", b"{\n")})
    work_on(Upload.objects.get())
    page = site_of(ada).get(url_of("list"), follow=True).content.decode()
    assert "Not imported" in page
    assert "Line 1 is not a page: a name in double quotes is missing" in page
    assert "Import what can be read" in page
    site_of(ada).post(reverse("uploads:withdraw", args=[Upload.objects.get().pk]))
    assert "Not imported" not in site_of(ada).get(url_of("list")).content.decode()


def test_a_list_of_labels_is_added_to_the_web_it_is_for(ada, web: Web) -> None:
    site, topic = site_of(ada), Topic.objects.create(owner=ada, name="Rye", web=web)
    Topic.objects.update(web_label="bread")
    rows = "http://a.test/1,rye\nhttp://a.test/9,rye\n"

    def send(text: str, **values: object) -> str:
        file = SimpleUploadedFile("rye.csv", text.encode())
        page = site.post(url_of("list"), {"file": file, **values}, follow=True)
        for upload in Upload.objects.filter(job_state="waiting"):
            work_on(upload)
        return page.content.decode() if page.status_code == 200 else ""

    assert "A table is a list of labels: choose the web" in send(rows)
    assert Upload.objects.count() == 1
    assert "labels of coast" in send(rows, web=web.pk)
    listed = site.get(url_of("list")).content.decode()
    assert "1 label added to 1 page." in listed and "1 line left out</a>" in listed
    web.refresh_from_db()
    assert web_row(web, ada).labels == {"bread": 3, "t1": 2, "rye": 1, "t0": 1}
    assert (
        url_of("list") + f"?labels_of={web.pk}" in site.get(url_of("labels", web)).content.decode()
    )
    send("http://a.test/2,bread", web=web.pk)
    listed = site.get(url_of("list")).content.decode()
    assert "Line 1 is not an address and a label: bread is the true label" in listed
    assert "Import what can be read" in listed
    for upload in Upload.objects.filter(kind="labels"):
        site.post(reverse("uploads:withdraw", args=[upload.pk]))
    assert "rye.csv" not in site.get(url_of("list")).content.decode()
    page = site.get(url_of("file", web)).content.decode()
    assert "an address without a page in this web" in page and "2 lines left out" in page
    assert (
        f'value="{web.pk}" selected'
        in site.get(url_of("list"), {"labels_of": web.pk}).content.decode()
    )
    bob = site_of(person("bob"))
    refused = bob.post(url_of("list"), {"file": SimpleUploadedFile("x", b"x"), "web": web.pk})
    assert "You have no such web." in refused.content.decode()
    topic.delete()


def test_it_is_its_owners_until_it_is_shared(ada, web: Web) -> None:
    bob = site_of(person("bob"))
    for name in ("web", "delete"):
        assert bob.get(url_of(name, web)).status_code == 404
    assert "coast" not in bob.get(url_of("list")).content.decode()
    sharing = reverse("sharing:shares", args=["web", web.pk])
    site_of(ada).post(sharing, {"everybody": "yes"})
    assert bob.get(url_of("web", web)).status_code == 200
    assert bob.post(url_of("delete", web)).status_code == 404
    assert bob.post(sharing, {"name": "eve"}).status_code == 404
    topic = Topic.objects.create(owner=person("eve"), name="Rye")
    form = site_of(topic.owner).get(reverse("topic:edit", args=[topic.pk])).content.decode()
    assert "coast" in form
    site_of(ada).post(sharing, {"remove": web.shares.get().pk})
    assert bob.get(url_of("web", web)).status_code == 404


def test_it_goes_with_its_pages_once_nothing_uses_it(ada, web: Web) -> None:
    topic = Topic.objects.create(owner=ada, name="Rye", web=web)
    crawl = made_crawl(topic, web=web)
    asked = site_of(ada).get(url_of("delete", web)).content.decode()
    assert "1 crawl and 1 topic use this web" in asked and "Delete for good" not in asked
    page = site_of(ada).post(url_of("delete", web), follow=True).content.decode()
    assert "1 crawl and 1 topic on it: delete those first." in page
    assert (webs_folder() / "coast").is_dir()
    crawl.delete()
    topic.delete()
    asked = site_of(ada).get(url_of("delete", web)).content.decode()
    assert "This deletes its 3 pages on 1 host" in asked and "their 3 labels" in asked
    site_of(ada).post(url_of("delete", web))
    assert not Web.objects.filter(pk=web.pk).exists()
    assert "<b>coast</b> is being deleted" in site_of(ada).get(url_of("list")).content.decode()
    finish_deletions()
    assert not Web.every.filter(pk=web.pk).exists()
    assert not (webs_folder() / "coast").exists()


def test_a_web_whose_folder_is_gone_is_reported(ada, web: Web) -> None:
    (webs_folder() / "coast").rename(webs_folder() / "gone")
    assert "has no complete web" in site_of(ada).get(url_of("web", web)).content.decode()
    assert site_of(ada).get(url_of("list")).status_code == 200


def test_everybodys_webs_are_an_administrators_to_delete(ada, web: Web) -> None:
    Web.objects.update(owner=None)
    assert site_of(ada).get(url_of("delete", web)).status_code == 404
    site_of(person("root", is_superuser=True)).post(url_of("delete", web))
    assert not Web.objects.filter(pk=web.pk).exists()


def test_the_list_states_how_many_links_and_labelled_pages_each_web_has(ada, web: Web) -> None:
    listed = site_of(ada).get(url_of("list")).content.decode()
    assert "not counted yet" in listed and f">3</a> on {share(1.0)}" in listed
    work_on(web.page_indexing)
    listed = site_of(ada).get(url_of("list")).content.decode()
    assert "coast has no links, so a crawl on it ends with its seeds." in listed
    assert "not counted yet" not in listed
    page = site_of(ada).get(url_of("labels", web)).content.decode()
    assert "0 links between them" in page and " by you, from coast.jsonl" in page


def test_a_web_made_of_a_crawl_before_that_was_noted_is_known_by_its_name(ada) -> None:
    named = {
        "crawl-12-300-pages": [12],
        "crawl-7-9-pages-T": [7],
        "crawl-7-9-pagesT": [],
        "coast": [],
    }
    for name in named:
        Web.objects.create(name=name, source=Web.Source.FOLDER, owner=ada)
    Web.objects.create(name="crawl-1-2-pages", source=Web.Source.FOLDER)
    import_module("apps.webs.migrations.0002_made_of_crawls").name_the_crawl(apps, None)
    assert dict(Web.objects.values_list("name", "made_of_crawls")) == {
        **named,
        "crawl-1-2-pages": [],
    }


def test_a_web_with_one_page_without_label_is_not_called_labelled_throughout(ada) -> None:
    row = web_row(Web.objects.create(name="w", pages=400, source=Web.Source.LIVE), ada)
    for labelled, message in ((400, 1.0), (399, 0.99), (100, 0.25), (0, 0.0)):
        assert replace(row, labelled=labelled).labelled_share == message


def test_labels_are_read_once_for_the_search_of_webs_and_again_after_a_change(
    ada, web: Web, monkeypatch
) -> None:
    reads: list[str] = []

    def counting(each: Web) -> LabelCounts:
        reads.append(each.name)
        return labels_of(each)

    monkeypatch.setattr("apps.webs.listing.labels_of", counting)

    def named(words: str) -> list[str]:
        return [each.name for each in web_listing(ada, QueryDict(urlencode({"q": words}))).matches]

    assert named("bread") == ["coast"] and named("bread -brea*") == []
    assert named("-bread") == [] and reads == ["coast"]
    LabelText.objects.all().delete()
    assert named("-rye") == ["coast"] and reads == ["coast", "coast"]
