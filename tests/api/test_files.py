"""Files sent by programs: webs, directories, topics and their lists; and whose they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.directories.models import Directory
from apps.topics.models import Topic
from apps.topics.sampling import seed_of
from apps.uploads.models import Upload
from apps.webs.models import PageIndexing, Web
from tests.background import work_on
from tests.crawl_rows import made_crawl, made_topic
from tests.people import Program, person, site_of

pytestmark = pytest.mark.django_db
PAGE = json.dumps({"url": "http://a.test/", "html": "<p>Rye", "topics": ["bread"]})
LISTED = "url,topic\n" + "".join(f"http://a.test/{n},Top/Arts/Glass\n" for n in range(12))


@pytest.fixture
def ada():
    return person("ada")


def post_file(user: Any, path: str, text: str, **fields: Any) -> Any:
    """The answer to a form with that file, sent with the person's token."""
    file = SimpleUploadedFile("sent.txt", text.encode())
    return Program(user).upload(path, file=file, **fields)


def uploaded(user: Any, path: str, text: str, name: str) -> dict[str, Any]:
    answer = post_file(user, path, text, name=name)
    assert answer.status_code == 202, answer.content
    work_on(Upload.objects.get(pk=answer.json()["id"]))
    return Program(user).get(f"uploads/{answer.json()['id']}").json()


@pytest.fixture
def web(ada, data_dir: Path) -> Web:
    assert uploaded(ada, "webs", f"{PAGE}\n{PAGE}", "coast")["state"] == "done"
    return Web.objects.get(name="coast")


@pytest.fixture
def directory(ada, data_dir: Path) -> Directory:
    assert uploaded(ada, "directories", LISTED, "glass")["made"]["pages"] == 12
    return Directory.objects.get()


def test_the_pages_of_a_web_are_searched_by_words_and_labels(ada, web: Web) -> None:
    program, other = Program(ada), Program(person("bob"))
    assert program.get(f"webs/{web.pk}/pages/0").status_code == 202
    answer = program.get(f"webs/{web.pk}/pages")
    assert (answer.status_code, answer.json()["done"]) == (202, 0)
    work_on(PageIndexing.objects.get())
    listed = program.get(f"webs/{web.pk}/pages").json()
    assert (listed["count"], listed["labels"], listed["hosts"]) == (1, {"bread": 1}, {"a.test": 1})
    assert listed["items"][0]["labels"] == ["bread"]
    for query, count in (
        ({"q": "rye"}, 1),
        ({"q": "zzz"}, 0),
        ({"label": "stars"}, 0),
        ({"label": ["stars", "bread"]}, 1),
        ({"host": "a.test"}, 1),
    ):
        assert program.get(f"webs/{web.pk}/pages", **query).json()["count"] == count, query
    assert program.get(f"webs/{web.pk}/pages", order="up").status_code == 422
    refused = program.get(f"webs/{web.pk}/pages", q="(((")
    assert (refused.status_code, refused.json()["field"]) == (422, "q")
    assert program.get(f"webs/{web.pk}/pages/0").json()["text"] == "Rye"
    assert program.get(f"webs/{web.pk}/pages/1").status_code == 404
    assert other.get(f"webs/{web.pk}/pages").status_code == 404


def test_a_program_may_have_bad_lines_left_out(ada, data_dir: Path) -> None:
    sent = {"file": SimpleUploadedFile("x", f"{PAGE}\n{{".encode()), "name": "coast"}
    upload = site_of(ada).post("/api/v1/webs", {**sent, "leave_out_bad": "true"}).json()
    work_on(Upload.objects.get(pk=upload["id"]))
    assert Web.objects.get(name="coast").pages == 1


def test_a_web_is_uploaded_looked_at_and_deleted(ada, web: Web) -> None:
    program = Program(ada)
    (upload,) = program.get("uploads").json()["items"]
    assert upload["left_out"] == [
        {"number": 1, "why": "an address that was listed before", "first": [[2, "http://a.test/"]]}
    ]
    shown = program.get(f"webs/{web.pk}").json()
    assert (shown["labels"], shown["mine"], shown["crawls"]) == ({"bread": 1}, True, [])
    noted = program.send("patch", f"webs/{web.pk}", {"note": "rye"})
    assert (noted.status_code, noted.json()["note"]) == (200, "rye")
    assert program.send("patch", f"webs/{web.pk}", {"note": "x" * 201}).json()["field"] == "note"
    crawl = made_crawl(made_topic(ada), web=web)
    refusal = program.send("delete", f"webs/{web.pk}")
    assert refusal.status_code == 409 and "1 crawl on it" in refusal.json()["message"]
    crawl.delete()
    assert program.send("delete", f"webs/{web.pk}").status_code == 204
    assert program.get(f"webs/{web.pk}").status_code == 404


def test_a_program_adds_labels_to_its_own_web(ada, web: Web) -> None:
    done = uploaded(ada, f"webs/{web.pk}/labels", "url,label\nhttp://a.test/,rye", "")
    assert (done["made"], done["name"]) == ({"labels": 1, "pages": 1}, "coast")
    assert Program(ada).get(f"webs/{web.pk}").json()["labels"] == {"bread": 1, "rye": 1}
    taken = Program(ada).send("delete", f"webs/{web.pk}/labels/{done['id']}")
    assert taken.status_code == 204
    assert Program(ada).get(f"webs/{web.pk}").json()["labels"] == {"bread": 1}
    file = SimpleUploadedFile("x", b"x")
    bob = site_of(person("bob"))
    assert bob.post(f"/api/v1/webs/{web.pk}/labels", {"file": file}).status_code == 404


def test_what_is_wrong_with_a_file_is_reported(ada, data_dir: Path) -> None:
    assert post_file(ada, "webs", PAGE, name="live").json()["field"] == "name"
    assert post_file(ada, "webs", "", name="coast").json()["field"] == "file"
    bad = uploaded(ada, "webs", f"{PAGE}\n{{", "coast")
    assert bad["state"] == "failed" and "Line 2" in bad["problem"]
    assert Program(ada).send("delete", f"uploads/{bad['id']}").status_code == 204
    assert not Upload.objects.exists()


def test_a_directory_is_walked_through_and_topics_are_made_of_it(
    ada, directory: Directory, web: Web
) -> None:
    program, one = Program(ada), f"directories/{directory.pk}"
    assert program.get(f"{one}/categories").json()["items"] == [
        {"path": "Arts", "own_pages": 0, "all_pages": 12}
    ]
    assert program.get(f"{one}/pages", at="Arts/Glass").json()["count"] == 12
    assert program.get(f"{one}/pages", at="No/Where").status_code == 404
    wanted = {"size": 4, "minimum": 10, "web": web.pk, "seed": 7}
    counted = program.send("post", f"{one}/topics", {**wanted, "count_only": True}).json()
    assert counted == {"categories": ["Arts/Glass"], "topics": [], "too_few": []}
    (made,) = program.send("post", f"{one}/topics", wanted).json()["topics"]
    topic = Topic.objects.get(pk=made)
    own_seed = seed_of(7, "Arts/Glass")
    assert (topic.web, topic.random_seed, topic.targets.count()) == (web, own_seed, 8)
    bad = program.send("post", f"{one}/topics", {**wanted, "most": 10**9})
    assert (bad.status_code, bad.json()["field"]) == (422, "most")
    assert program.send("delete", one).status_code == 204
    assert program.get("directories").json() == []


def test_a_topic_goes_out_and_in_with_its_lists(ada, data_dir: Path) -> None:
    program = Program(ada)
    topic = made_topic(ada)
    file = program.get(f"topics/{topic.pk}/file").json()
    assert program.send("post", "topics/file", file).json()["field"] == "name"
    file |= {"name": "Again", "positives": [{"url": "http://p.test/", "html": "<p>Rye bread"}]}
    made = program.send("post", "topics/file", file).json()
    assert (made["positives"], made["work"]) == (["http://p.test/"], "fetching")
    lines = "url,label\nhttp://q.test/,positive\nhttp://r.test/,negative\nnonsense,positive"
    grown = post_file(ada, f"topics/{made['id']}/lists/seeds/file", lines).json()
    assert grown["positives"] == ["http://p.test/", "http://q.test/"]
    assert "http://r.test/" in grown["negatives"]
    assert [bad["text"] for bad in grown["untaken"]] == ["nonsense"]
    assert post_file(ada, f"topics/{made['id']}/lists/nonsense/file", "").status_code == 422


def test_targets_are_checked_and_gone_ones_removed(ada, data_dir: Path) -> None:
    topic, program = made_topic(ada), Program(ada)
    answer = program.send("post", f"topics/{topic.pk}/targets/check")
    assert (answer.status_code, answer.json()["work"]) == (202, "checking")
    topic.targets.filter(url="http://target1.test/").update(state="gone", detail="dns")
    states = {
        row["url"]: row["state"]
        for row in program.get(f"topics/{topic.pk}/targets").json()["items"]
    }
    assert states["http://target1.test/"] == "gone" and states["http://target0.test/"] == "asked"
    gone = program.send("delete", f"topics/{topic.pk}/targets/gone")
    assert gone.json() == {"removed": 1} and topic.targets.count() == 3


def test_a_source_is_uploaded_as_a_file(ada, data_dir: Path) -> None:
    one = f"topics/{made_topic(ada).pk}/inputs"
    message = post_file(ada, f"{one}/sites/file", "a.test\nb.test").json()["contents"]
    assert "sent.txt" in message[0] and "2 rows" in message[0]
    assert "1 named" in post_file(ada, f"{one}/corpus/file", "http://a.test/").json()["contents"][0]
    assert post_file(ada, f"{one}/traffic/file", "nonsense").status_code == 422


def test_a_recipe_is_uploaded_as_a_file(ada, data_dir: Path) -> None:
    crawl = made_crawl(made_topic(ada), strategy="breadth_first", parameters={})
    recipe = Program(ada).get(f"crawls/{crawl.pk}/recipe").content.decode()
    assert post_file(ada, "recipes/file", recipe).json()["state"] == "draft"
    assert post_file(ada, "recipes/file", "{").status_code == 422


def test_json_that_is_too_large_is_refused_as_json(ada, settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    answer = Program(ada).send("post", "topics", {"name": "x" * 200})
    assert answer.status_code == 413 and "as a file" in answer.json()["message"]


def test_anothers_files_webs_and_directories_are_not_there(
    ada, web: Web, directory: Directory
) -> None:
    eve, topic = person("eve"), made_topic(ada)
    program = Program(eve)
    for path in (
        f"webs/{web.pk}",
        f"uploads/{Upload.objects.first().pk}",
        f"directories/{directory.pk}/categories",
        f"directories/{directory.pk}/pages",
        f"topics/{topic.pk}/file",
        f"topics/{topic.pk}/targets",
    ):
        assert program.get(path).status_code == 404, path
    for method, path, body in (
        ("delete", f"webs/{web.pk}", None),
        ("post", f"webs/{web.pk}/shares", {"name": "eve"}),
        ("delete", f"uploads/{Upload.objects.first().pk}", None),
        ("delete", f"directories/{directory.pk}", None),
        ("post", f"directories/{directory.pk}/topics", {}),
        ("post", f"topics/{topic.pk}/targets/check", None),
        ("delete", f"topics/{topic.pk}/targets/gone", None),
    ):
        assert program.send(method, path, body).status_code == 404, path
    for path in (f"topics/{topic.pk}/lists/seeds/file", f"topics/{topic.pk}/inputs/sites/file"):
        assert post_file(eve, path, "http://a.test/").status_code == 404, path
    assert program.get("uploads").json()["count"] == 0 and program.get("directories").json() == []
    assert "coast" not in program.get("webs").content.decode()
    assert Program(ada).send("post", f"webs/{web.pk}/shares", {"name": "eve"}).status_code == 201
    assert program.get(f"webs/{web.pk}").status_code == 200
    assert program.send("delete", f"webs/{web.pk}").status_code == 404
