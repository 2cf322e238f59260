"""Large files: uploaded, imported in the background, reported, withdrawn."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.directories.models import Directory, DirectoryPage
from apps.figures.quantities import share
from apps.jobs import progress_reporter, queue
from apps.screens.uploads.forms import DirectoryUploadForm, WebUploadForm
from apps.topics.models import Topic
from apps.uploads import services
from apps.uploads.models import Upload
from apps.uploads.rows import upload_rows
from apps.uploads.services import (
    MOST_BYTES,
    MOST_REDIRECT_BYTES,
    UploadRefused,
    take_upload,
    uploads_folder,
)
from apps.webs.models import Web
from tests.background import work_on
from tests.deletions import finish_deletions
from tests.people import site_of

pytestmark = pytest.mark.django_db

PAGE = json.dumps({"url": "http://a.test/", "html": "<p>Rye", "topics": ["bread"]})
TWICE = f"{PAGE}\n{PAGE}\n" + json.dumps({"url": "mailto:x", "html": ""})
LINES = "url,topic\nhttp://a.test/,Top/Arts\nhttp://b.test/,Top/Arts/Glass\n"


def file(text: str | bytes, name: str = "coast.jsonl") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def upload(owner, kind: str, text: str | bytes, name: str = "coast") -> Upload:
    taken = take_upload(owner, kind, name, file(text))
    work_on(taken)
    taken.refresh_from_db()
    return taken


def test_a_web_is_made_and_names_what_was_left_out(owner, data_dir: Path) -> None:
    done = upload(owner, "web", gzip.compress(TWICE.encode()))
    web = Web.objects.get(name="coast")
    assert (done.job_state, web.owner, web.pages) == ("done", owner, 1)
    assert done.report["made"] == {"pages": 1, "hosts": 1, "redirects": 0}
    assert done.report["skipped"] == {"duplicate": 1, "not_http": 1}
    assert done.report["first"] == [[2, "duplicate", "http://a.test/"], [3, "not_http", "mailto:x"]]
    assert not any(uploads_folder().iterdir())


def refused_before(site: Client, kind: str, of_file: str, **typed: str) -> dict[str, str]:
    """What the form is refused for before its file is sent: an empty one of that name is."""
    address = reverse(f"uploads:check_{kind}")
    answer = site.post(address, {"file": file("", of_file), **typed})
    assert not Upload.objects.filter(size=0).exists()
    return dict(answer.json())


def test_a_bad_name_is_refused_before_the_file_is_sent_in_the_words_that_it_is_refused_with_after(
    owner, data_dir: Path
) -> None:
    upload(owner, "web", PAGE)
    upload(owner, "directory", LINES, "glass")
    site = site_of(owner)
    for kind, list_of, name, typed in (
        ("web", "webs:list", "coast.jsonl", {}),
        ("web", "webs:list", "a(1).jsonl", {}),
        ("web", "webs:list", "fine.jsonl", {"name": "live"}),
        ("web", "webs:list", "labels.csv", {}),
        ("directory", "directories:list", "glass.csv", {}),
        ("directory", "directories:list", "fine.csv", {"name": "x" * 500}),
    ):
        ((_, error),) = refused_before(site, kind, name, **typed).items()
        after = site.post(reverse(list_of), {"file": file(PAGE, name), **typed}).content.decode()
        assert error.strip() in after, name
    for kind, name in (("web", "shore.jsonl"), ("directory", "coast.csv")):
        assert refused_before(site, kind, name) == {}
    assert refused_before(site, "web", "labels.csv", web=str(Web.objects.get().pk)) == {}


@pytest.mark.parametrize(
    ("sizes", "field", "words"),
    [
        ((0, ""), "file", "The file is empty."),
        ((MOST_BYTES + 1, ""), "file", "larger than 4 GB"),
        ((1 << 60, 1), "file", "larger than 4 GB"),
        ((1, MOST_REDIRECT_BYTES + 1), "redirects", "larger than 20 MB"),
        ((1, MOST_REDIRECT_BYTES), "", ""),
        ((None, ""), "", ""),
    ],
)
def test_a_bad_size_is_refused_before_the_file_is_sent(
    owner, sizes: tuple[object, object], field: str, words: str
) -> None:
    typed = {
        f"{name}_size": str(size)
        for name, size in zip(("file", "redirects"), sizes, strict=True)
        if size is not None
    }
    refused = refused_before(site_of(owner), "web", "coast.jsonl", **typed)
    assert [*refused] == ([field] if field else [])
    assert words in refused.get(field, "")


def test_the_progress_has_pages_share_and_what_is_left(owner, data_dir: Path, monkeypatch) -> None:
    taken = take_upload(owner, "web", "coast", file(TWICE))
    seen = []
    monkeypatch.setattr(progress_reporter, "REPORT_EVERY", -1)
    monkeypatch.setattr(
        services.queue, "finish", lambda upload, **_: seen.append(Upload.objects.get(pk=upload.pk))
    )
    work_on(taken)
    read = seen[0]
    assert (read.pages, read.share_read) == (1, 1.0)
    read.read, read.pages = read.size // 4, 1200
    read.began_at = timezone.now() - timedelta(minutes=2)
    words = upload_rows([read])[0].words
    assert words == f"1,200 pages so far, {share(read.share_read)} of the file; about 6 min left"
    read.began_at, read.pages = timezone.now(), 0
    assert upload_rows([read])[0].words == f"{share(read.share_read)} of the file read"


def test_a_second_delivery_does_nothing(owner, data_dir: Path) -> None:
    done = upload(owner, "web", PAGE)
    assert work_on(done) == "no longer wanted"
    assert Web.objects.filter(name="coast").count() == 1


class Killed(BaseException):
    """A stand-in for the end of the process."""


def made_rows(kind: str) -> int:
    """How much uploads of a kind have made."""
    if kind == "directory":
        return Directory.objects.filter(ready=True).count()
    return Web.objects.exclude(added_labels="").count() if kind == "labels" else Web.objects.count()


@pytest.mark.parametrize(
    ("kind", "text"),
    [("web", PAGE), ("directory", LINES), ("labels", "url,label\nhttp://a.test/,flour\n")],
)
def test_what_an_upload_makes_is_stored_together_with_its_end(
    owner, data_dir: Path, monkeypatch: pytest.MonkeyPatch, kind: str, text: str
) -> None:
    web = None
    if kind == "labels":
        upload(owner, "web", PAGE)
        web = Web.objects.get()
    before = made_rows(kind)
    taken = take_upload(owner, kind, "glass", file(text, "list.csv"), web=web)

    def die(*given: object, **named: object) -> None:
        raise Killed

    for module, function, made in ((services.queue, "finish", 0), (services, "_remove_files", 1)):
        queue.enqueue(taken)
        with monkeypatch.context() as patch, pytest.raises(Killed):
            patch.setattr(module, function, die)
            work_on(taken)
        assert made_rows(kind) == before + made
    taken.refresh_from_db()
    assert taken.job_state == "done" and taken.report["made"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{PAGE}\n{{", "Line 2 is not a page: a name in double quotes is missing"),
        (f"{PAGE}\n{'[' * 50_000}", "Line 2 is not a page: its brackets are nested too deeply"),
        (f"{PAGE}\n[]", 'Line 2 is not a page: it is not an object {"url": …}'),
        ('{"url": "http://a.test/"}', 'Line 1 is not a page: "html" must be a text'),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "Line 1 is not a page: it is not UTF-8 text"),
        (
            gzip.compress(PAGE.encode() * 900, mtime=0)[:-40],
            "the packed file is damaged or breaks off",
        ),
        (b"WARC/1.0\r\nnonsense", "cannot be read"),
        (b"PK\x03\x04nonsense", "Line 1 is not a page: it is not JSON, which begins with { or ["),
        ("\n\n", "has no pages"),
        (json.dumps({"url": "http://a.test/\ud800", "html": "\ud800", "topics": ["\ud800"]}), ""),
    ],
)
def test_a_file_that_cannot_be_read_states_where_and_leaves_nothing(
    owner, data_dir: Path, text, sentence: str
) -> None:
    bad = upload(owner, "web", text)
    assert bad.job_state == ("failed" if sentence else bad.job_state)
    assert sentence in bad.job_problem
    assert Web.objects.exists() is (bad.job_state == "done")
    assert any(uploads_folder().iterdir()) is (bad.bad_line is not None)
    if bad.job_state == "failed":
        assert not any((data_dir / "webs").glob("*"))


def test_a_file_is_read_again_without_the_lines_that_are_no_page(owner, stranger, data_dir) -> None:
    bad = upload(owner, "web", f"{PAGE}\n{{\n{PAGE.replace('a.test', 'b.test')}\n[]")
    assert bad.bad_line == 2 and not Web.objects.exists()
    address = reverse("uploads:without_bad_lines", args=[bad.pk])
    assert site_of(stranger).post(address).status_code == 404
    site_of(owner).post(address)
    bad.refresh_from_db()
    assert work_on(bad) == "done"
    bad.refresh_from_db()
    assert (bad.job_state, bad.bad_line, Web.objects.get().pages) == ("done", None, 2)
    assert bad.report["skipped"] == {"bad_line": 2}
    assert [line for line, _, _ in bad.report["first"]] == [2, 4]
    assert not any(uploads_folder().iterdir())
    page = site_of(owner).post(address, follow=True).content.decode()
    assert "did not fail at a line that is not a page" in page


def test_redirects_come_in_a_file_of_their_own(owner, data_dir: Path) -> None:
    moved = file('{"http://a.test/old": "http://a.test/"}', "moved.json")
    taken = take_upload(owner, "web", "coast", file(PAGE), moved)
    work_on(taken)
    taken.refresh_from_db()
    assert taken.report["made"]["redirects"] == 1


def test_a_directory_is_read_in_the_background(owner, data_dir: Path) -> None:
    done = upload(owner, "directory", LINES, "glass")
    made = Directory.objects.get(name="glass")
    assert done.report["made"] == {"categories": 2, "pages": 2, "sites": 2}
    assert made.ready and made.owner == owner


def test_a_directory_that_breaks_off_names_the_line_and_leaves_nothing(owner, data_dir) -> None:
    bad = upload(owner, "directory", LINES + "http://c.test/\n")
    assert bad.job_state == "failed" and "line 4" in bad.job_problem
    assert not Directory.objects.exists() and not DirectoryPage.objects.exists()


@pytest.mark.parametrize(
    ("kind", "name", "text", "field"),
    [
        ("web", "../../etc", PAGE, "name"),
        ("web", "live", PAGE, "name"),
        ("web", "", PAGE, "name"),
        ("web", "coast.part", PAGE, "name"),
        ("web", "x" * 101, PAGE, "name"),
        ("directory", "", LINES, "name"),
        ("directory", "x" * 201, LINES, "name"),
        ("web", "coast", "", "file"),
    ],
)
def test_what_can_never_be_made_is_refused_at_once(owner, kind, name, text, field) -> None:
    with pytest.raises(UploadRefused) as refusal:
        take_upload(owner, kind, name, file(text))
    assert refusal.value.field == field and refusal.value.message
    assert not Upload.objects.exists()


@pytest.mark.parametrize(
    ("form", "path", "name"),
    [
        (WebUploadForm, "webs", "x" * 101),
        (WebUploadForm, "webs", "x" * 201),
        (WebUploadForm, "webs", "no web!"),
        (DirectoryUploadForm, "directories", "x" * 201),
    ],
)
def test_form_and_api_refuse_a_name_in_the_same_words(
    owner, data_dir: Path, form, path: str, name: str
) -> None:
    typed = form({"name": name}, {"file": file(PAGE)})
    assert typed.is_valid() and typed.take(owner) is None
    answer = site_of(owner).post(f"/api/v1/{path}", {"name": name, "file": file(PAGE)})
    assert answer.json() == {"field": "name", "message": typed.errors["name"][0]}


def test_a_name_that_is_taken_or_being_read_is_refused(owner, stranger, data_dir: Path) -> None:
    take_upload(owner, "web", "coast", file(PAGE))
    take_upload(owner, "directory", "glass", file(LINES))
    for who, kind, name in ((stranger, "web", "coast"), (owner, "directory", "glass")):
        with pytest.raises(UploadRefused, match="choose another name"):
            take_upload(who, kind, name, file(PAGE))
    take_upload(stranger, "directory", "glass", file(LINES))


def test_sizes_and_a_full_disk_are_reported_in_words(owner, settings, monkeypatch) -> None:
    large = file(PAGE)
    large.size = services.MOST_BYTES + 1
    with pytest.raises(UploadRefused, match="larger than 4 GB"):
        take_upload(owner, "web", "coast", large)
    settings.LEAST_FREE_DISK = 2**60
    with pytest.raises(UploadRefused, match="GB left"):
        take_upload(owner, "web", "coast", file(PAGE))


def test_what_is_taken_back_while_it_is_read_stops(owner, data_dir: Path, monkeypatch) -> None:
    taken = take_upload(owner, "web", "coast", file(f"{PAGE}\n" * 300))
    monkeypatch.setattr(progress_reporter, "REPORT_EVERY", -1)
    real = services.import_web

    def withdrawn(*args, **options):
        services.withdraw(Upload.objects.get(pk=taken.pk))
        return real(*args, **options)

    path = uploads_folder() / taken.folder / taken.file_name
    kept = path.read_bytes()
    monkeypatch.setattr(services, "_remove_files", lambda upload: path.write_bytes(kept))
    monkeypatch.setattr(services, "import_web", withdrawn)
    work_on(taken)
    assert not Web.objects.exists() and not Upload.objects.exists()


def test_only_its_owner_takes_an_upload_back(owner, stranger, data_dir: Path) -> None:
    taken = take_upload(owner, "directory", "glass", file(LINES))
    address = reverse("uploads:withdraw", args=[taken.pk])
    assert site_of(stranger).post(address).status_code == 404
    assert site_of(owner).post(address).url == reverse("directories:list")
    assert not Upload.objects.exists() and not any(uploads_folder().iterdir())


def test_the_page_takes_a_directory_and_shows_how_far_it_is(owner, data_dir: Path) -> None:
    site, address = site_of(owner), reverse("directories:list")
    page = site.post(address, {"file": file(LINES, "glass works.csv")}, follow=True)
    sentence = page.content.decode()
    assert "glass-works" in sentence and "A worker will read it soon" in sentence
    work_on(Upload.objects.get())
    page = site.get(address).content.decode()
    assert "A worker will read it soon" not in page and "glass-works</a>" in page
    assert "Choose a file" in site.post(address, {"name": "x"}).content.decode()


def test_a_deleted_directory_is_gone_at_once_and_its_topics_stay(owner, stranger, data_dir) -> None:
    upload(owner, "directory", LINES, "glass")
    made = Directory.objects.get()
    topic = Topic.objects.create(owner=owner, name="Glass", category=made.topics.last())
    address = reverse("directories:delete", args=[made.pk])
    assert site_of(stranger).post(address).status_code == 404
    assert "topic made of it" in site_of(owner).get(address).content.decode()
    site_of(owner).post(address)
    assert site_of(owner).get(reverse("directories:directory", args=[made.pk])).status_code == 404
    finish_deletions()
    topic.refresh_from_db()
    assert topic.category is None and not DirectoryPage.objects.exists()
