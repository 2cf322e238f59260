"""Webs and topics from files, on the command line."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from apps.engine.networking.webs.virtual_web import read
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.webs.models import Web
from apps.webs.opening import open_web, webs_folder
from tests.topic_fixtures import MADE


def run(*arguments: Any) -> Any:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return json.loads(out.getvalue())


def urls(*numbers: int) -> list[str]:
    return [MADE.url(i) for i in numbers]


@pytest.fixture
def topic_file(tmp_path: Path) -> Path:
    path = tmp_path / "bread.json"
    path.write_text(
        json.dumps(
            {
                "name": "Bread",
                "keywords": ["dough"],
                "language": "en",
                "seeds": urls(0, 4),
                "positives": [
                    *urls(8, 12, 16, 20, 24),
                    {
                        "url": "http://own.test/",
                        "html": "<title>Rye</title><p>rye dough and wheat dough in the oven</p>",
                    },
                ],
                "negatives": urls(*range(1, 41, 4)),
                "targets": [*urls(0, 8, 100, 104), "gopher://x"],
                "evaluation": {"positives": urls(40, 44, 48), "negatives": urls(41, 45, 49)},
                "inlinks": {MADE.url(8): 5},
                "web_label": "bread",
            }
        )
    )
    return path


def test_it_imports_a_web_with_its_redirects(db, data_dir, web_file, redirects_file) -> None:
    answer = run("import_web", "made", web_file, "--redirects", redirects_file)
    assert answer["name"] == "made"
    assert (answer["pages"], answer["hosts"], answer["redirects"]) == (120, 6, 1)
    assert answer["skipped"] == {"redirect_not_http": 1}
    web = Web.objects.get(name="made")
    assert (web.source, web.pages, web.hosts) == ("folder", 120, 6)
    opened = open_web(web)
    assert opened.labels(MADE.url(0)) == ("bread",)
    assert opened.get("http://h0.test/old").status == 301


@pytest.mark.parametrize("name", ["", "a b", "../x", "live", "demo", "x" * 101])
def test_it_refuses_a_name_it_cannot_keep(db, data_dir, web_file, name: str) -> None:
    with pytest.raises(CommandError):
        run("import_web", name, web_file)
    assert not Web.objects.exists()


def test_a_web_is_not_written_over(web: Web, web_file: Path) -> None:
    with pytest.raises(CommandError, match="already"):
        run("import_web", "made", web_file)
    assert open_web(web).count == 120


def test_a_bad_file_leaves_nothing_behind(db, data_dir, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"url": "http://a.test/", "html": "x"}\nnot json\n')
    with pytest.raises(CommandError, match="Line 2"):
        run("import_web", "bad", bad)
    assert not Web.objects.exists()
    assert list(webs_folder().iterdir()) == []


def test_a_missing_file_is_reported(db, data_dir, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no file"):
        run("import_web", "made", tmp_path / "nothing.jsonl")


def test_it_imports_a_topic_and_reads_its_pages_at_once(web: Web, topic_file: Path) -> None:
    answer = run("import_topic", topic_file, "--web", "made")
    assert answer["examples"] == {
        "positives": 6,
        "negatives": 10,
        "evaluation_positives": 3,
        "evaluation_negatives": 3,
        "fetched": 22,
        "waiting": 0,
    }
    assert answer["targets"] == 2
    assert [(line["url"], line["reason"]) for line in answer["overlaps"]] == [
        (MADE.url(0), "seed"),
        (MADE.url(8), "positive"),
    ]
    assert [line["url"] for line in answer["skipped"]] == ["gopher://x"]
    assert answer["quality"]["f1"] > 0.5
    topic = Topic.objects.get()
    assert topic.owner.get_username() == "owner"
    assert topic.web_label == "bread"
    assert topic.examples.get(url="http://own.test/").title == "Rye"
    assert topic.typed == {}


def test_pages_of_the_live_web_are_fetched_before_the_command_ends(
    db, data_dir, topic_file: Path, monkeypatch
) -> None:
    monkeypatch.setattr(
        "apps.topics.tasks.fetch_all",
        lambda web: lambda wanted: ((url, read(MADE, url)) for url in wanted),
    )
    answer = run("import_topic", topic_file)
    assert (answer["web"], answer["examples"]["waiting"], answer["examples"]["fetched"]) == (
        None,
        0,
        22,
    )
    assert answer["quality"]["f1"] > 0.5


@pytest.mark.django_db(transaction=True)
def test_a_crawl_on_the_command_line_fetches_the_examples_that_wait(web: Web, owner) -> None:
    lists = {"seeds": urls(0), "positives": urls(0, 4, 8), "negatives": urls(1, 5, 9)}
    texts = {name: "\n".join(lines) for name, lines in lists.items()}
    topic = create_topic(owner, Definition(name="Bread", web_id=web.pk, lists=texts)).topic
    call_command("crawl", "Bread", "--strategy", "full_page", "--pages", "5", "--web", "made")
    assert topic.crawls.get().pages == 5
    assert topic.examples.filter(fetch="fetched").count() == 6


def test_a_superuser_owns_what_is_imported(web: Web, topic_file: Path) -> None:
    get_user_model().objects.create_superuser("root")
    assert run("import_topic", topic_file, "--web", "made")["owner"] == "root"


def test_a_topic_is_replaced_only_if_asked(web: Web, topic_file: Path) -> None:
    run("import_topic", topic_file, "--web", "made")
    with pytest.raises(CommandError, match="--replace"):
        run("import_topic", topic_file, "--web", "made")
    data = json.loads(topic_file.read_text())
    topic_file.write_text(json.dumps({**data, "seeds": urls(0), "positives": urls(8, 12, 60)}))
    answer = run("import_topic", topic_file, "--web", "made", "--replace")
    assert (answer["seeds"], answer["examples"]["positives"]) == (1, 3)
    assert answer["examples"]["waiting"] == 0
    assert Topic.objects.count() == 1


def test_pages_of_the_live_web_are_asked_for_before_the_command_ends(
    db, data_dir, topic_file: Path
) -> None:
    answer = run("import_topic", topic_file)
    assert (answer["examples"]["waiting"], len(answer["failed"])) == (0, 21)
    assert Topic.objects.get().work == ""


def test_an_unknown_web_names_those_there_are(web: Web, topic_file: Path) -> None:
    with pytest.raises(CommandError, match="made"):
        run("import_topic", topic_file, "--web", "other")


@pytest.mark.parametrize("text", ["", "{", "\x00", "[" * 100_000])
def test_what_is_not_json_is_reported(db, data_dir, tmp_path: Path, text: str) -> None:
    path = tmp_path / "topic.json"
    path.write_text(text)
    with pytest.raises(CommandError, match="not JSON"):
        run("import_topic", path)


def test_a_topic_without_a_name_is_refused(db, data_dir, tmp_path: Path) -> None:
    path = tmp_path / "topic.json"
    path.write_text("{}")
    with pytest.raises(CommandError, match="name"):
        run("import_topic", path)


def test_what_no_database_holds_is_left_out(db, data_dir, tmp_path: Path) -> None:
    path = tmp_path / "topic.json"
    path.write_text(
        r'{"name": "Rye\u0000 \ud800bread", "keywords": ["\u0000dough"], "seeds": ["http://a.test/\ud800"],'
        r' "positives": [{"url": "http://a.test/1\u0000", "html": "rye \ud800 \u0000 bread"}]}'
    )
    run("import_topic", path)
    topic = Topic.objects.get()
    assert (topic.name, topic.keywords) == ("Rye ?bread", ["dough"])
    assert topic.examples.get().words == 2


def test_it_imports_the_inputs_of_a_topic(web: Web, topic_file: Path) -> None:
    data = json.loads(topic_file.read_text())
    own = {"url": "http://own.test/links", "html": f"<p>rye <a href='{MADE.url(8)}'>here</a></p>"}
    topic_file.write_text(
        json.dumps(
            {
                **data,
                "corpus": urls(60, 64, 61),
                "backlinks": [*urls(28), own, MADE.url(100), "x"],
                "traffic": {"H0.test": 1, "h1.test": 2},
                "directory": ["www.alpha.co.uk", "alpha.co.uk"],
            }
        )
    )
    answer = run("import_topic", topic_file, "--web", "made")
    assert answer["inputs"]["corpus"] == 3 and answer["inputs"]["backlinks"] > 2
    assert (answer["inputs"]["traffic"], answer["inputs"]["directory"]) == (2, 1)
    assert answer["status"] == {"source": "counted", "examples": 5, "positives": 6}
    assert {"list": "backlinks", "url": MADE.url(100), "reason": "target"} in answer["overlaps"]
    assert {"list": "backlinks", "url": "x", "reason": "not_a_url"} in answer["skipped"]
    topic = Topic.objects.get()
    assert topic.input_pages.get(url=own["url"]).fetch == "fetched"
    topic_file.write_text(json.dumps({**data, "traffic": {}, "corpus": urls(60)}))
    answer = run("import_topic", topic_file, "--web", "made", "--replace")
    assert answer["inputs"]["traffic"] == 0
    assert (answer["inputs"]["corpus"], answer["inputs"]["directory"]) == (1, 1)
