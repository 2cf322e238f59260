"""The resources: made, read, changed, with the same refusals as on the screens."""

from __future__ import annotations

import json

import pytest
from asgiref.sync import async_to_sync

from apps.api.paging import MOST
from apps.crawls.commands.catalogue import COMMANDS
from apps.crawls.models import Change, Crawl
from apps.crawls.summaries import summary
from apps.demo.web import LEAST_PAGES
from apps.engine.codes import State
from apps.engine.evaluation import MEASURES
from apps.engine.intelligence.strategies import CATALOGUE
from apps.topics.models import Topic
from apps.webs.models import Web
from tests.crawl_rows import grow, made_crawl, made_event, made_host, made_topic
from tests.people import Program, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return person("ada")


@pytest.fixture
def program(ada) -> Program:
    return Program(ada)


@pytest.fixture
def topic(ada) -> Topic:
    return made_topic(ada)


@pytest.fixture
def crawl(topic) -> Crawl:
    return grow(made_crawl(topic), 60)


def made(program: Program, topic: Topic, **values) -> dict:
    body = {"topic": topic.pk, "strategy": "breadth_first", "budget": 10, **values}
    answer = program.send("post", "crawls", body)
    assert answer.status_code == 201, answer.content
    return answer.json()


def refused(answer, status: int = 422) -> str:
    assert answer.status_code == status, answer.content
    assert set(answer.json()) == {"field", "message"} and answer.json()["message"]
    return answer.json()["field"]


def whole(answer) -> bytes:
    async def gathered() -> bytes:
        return b"".join([piece async for piece in answer.streaming_content])

    return async_to_sync(gathered)()


def test_a_topic_is_made_read_changed_and_deleted(program: Program) -> None:
    body = {
        "name": "Bread",
        "keywords": ["dough"],
        "seeds": ["http://a.test/"],
        "positives": ["http://p.test/", "nonsense"],
        "targets": ["http://p.test/"],
        "evaluation": {"positives": ["http://e.test/"]},
        "inlinks": {"http://p.test/": 7},
    }
    topic = program.send("post", "topics", body).json()
    assert topic["positives"] == ["http://p.test/"] and topic["targets"] == []
    assert topic["evaluation"]["positives"] == ["http://e.test/"]
    assert topic["inlinks"] == {"http://p.test/": 7}
    assert {(line["list"], line["text"]) for line in topic["untaken"]} == {
        ("positives", "nonsense"),
        ("targets", "http://p.test/"),
    }
    assert topic["work"] == "fetching"
    one = f"topics/{topic['id']}"
    changed = program.send("put", one, {**body, "keywords": ["rye"]}).json()
    assert changed["keywords"] == ["rye"] and changed["version"] > topic["version"]
    assert program.get("topics").json()["items"][0]["name"] == "Bread"
    assert program.send("delete", one).status_code == 204
    assert program.get(one).status_code == 404


def test_a_topics_refusals_are_those_of_its_form(program: Program, topic: Topic) -> None:
    assert refused(program.send("post", "topics", {"name": ""})) == "name"
    assert refused(program.send("post", "topics", {"name": topic.name})) == "name"
    assert refused(program.send("post", "topics", {"name": "x", "web": "none"})) == "web"
    assert refused(program.send("post", "topics", {"name": "x", "seeds": "one"})) == "seeds"
    assert refused(program.send("post", "topics", {"name": "x", "inlinks": {"a": -1}}))
    made_crawl(topic)
    assert refused(program.send("delete", f"topics/{topic.pk}")) == ""


def test_examples_are_relabelled_and_removed(program: Program, topic: Topic) -> None:
    rows = program.get(f"topics/{topic.pk}/examples", size=3, page=2).json()
    assert (rows["count"], len(rows["items"]), rows["items"][0]["relevant"]) == (8, 3, True)
    one = f"topics/{topic.pk}/examples/{rows['items'][0]['id']}"
    for _ in range(2):
        assert not program.send("patch", one, {"relevant": False}).json()["relevant"]
    assert program.send("delete", one).status_code == 204
    assert program.get(f"topics/{topic.pk}/examples").json()["count"] == 7


def test_a_crawl_is_made_with_the_fields_of_its_form(program: Program, topic: Topic) -> None:
    crawl = made(
        program,
        topic,
        strategy="text_window_combo",
        parameters={"T": "20"},
        random_seed=9,
        scope={"deny_hosts": ["x.test"], "depth": 3},
        politeness={"delay": 1},
        judge="lc",
    )
    row = Crawl.objects.get(pk=crawl["crawl"])
    assert (row.parameters["window"], row.random_seed, row.judge) == (20, 9, "lc")
    assert row.scope["deny_hosts"] == ["x.test"] and row.scope["depth"] == 3
    assert row.politeness == {"delay": 1.0} and row.state == State.DRAFT
    assert crawl["request_limit"] == 50 and crawl["state_words"].startswith("draft")


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("strategy", {"strategy": "nonsense"}),
        ("window", {"strategy": "text_window", "parameters": {"window": -1}}),
        ("nonsense", {"parameters": {"nonsense": 1}}),
        ("budget", {"budget": 0}),
        ("topic", {"topic": 10**30}),
        ("web", {"web": "nowhere"}),
        ("over", {"over": "record"}),
        ("scope.depth", {"scope": {"depth": "deep"}}),
        ("scope.depth", {"scope": {"depth": -1}}),
        ("scope.deny_hosts", {"scope": {"deny_hosts": [""]}}),
        ("politeness.delay", {"politeness": {"delay": -1}}),
        ("parent_policy", {"parent_policy": "no such policy"}),
        ("judge", {"judge": "me"}),
        ("random_seed", {"random_seed": 2**70}),
    ],
)
def test_a_crawls_refusals_name_the_field(program, topic, field: str, values: dict) -> None:
    program.send("get", "webs")
    body = {"topic": topic.pk, "strategy": "breadth_first", "budget": 10, **values}
    made_crawl(topic)  # so that the live Web is there
    assert refused(program.send("post", "crawls", body)) == field


def test_the_record_of_a_crawl_is_that_of_the_command(program: Program, crawl: Crawl) -> None:
    answer = program.get(f"crawls/{crawl.pk}", trajectory=True).json()
    expected = json.loads(json.dumps(summary(crawl, trajectory=True)))
    assert {name: answer[name] for name in expected} == expected
    assert program.get(f"crawls/{crawl.pk}").json()["trajectory"] is None


def test_every_verb_of_the_live_page_is_there(program: Program) -> None:
    schema = program.get("openapi.json").json()
    act = schema["paths"]["/api/v1/crawls/{crawl_id}/actions/{verb}"]["post"]
    text = json.dumps([act, schema["components"]])
    assert all(f'"{verb}"' in text for verb in COMMANDS)


def test_a_crawl_is_steered(program: Program, crawl: Crawl) -> None:
    one = f"crawls/{crawl.pk}/actions"
    assert program.send("post", f"{one}/delta", {"value": 0.4}).status_code == 200
    assert program.send("post", f"{one}/seeds", {"value": "http://new.test/"}).json()["message"]
    assert program.send("post", f"{one}/pause").status_code == 200
    assert list(Change.objects.values_list("kind", flat=True)) == ["delta", "seeds"]
    crawl.refresh_from_db()
    assert (crawl.desired, crawl.parameters["delta"]) == ("pause", 0.4)
    assert refused(program.send("post", f"{one}/delta", {"value": 7})) == "delta"
    assert program.send("post", f"{one}/resume").status_code == 200
    crawl.refresh_from_db()
    assert crawl.desired == "run"
    assert refused(program.send("post", f"{one}/resume"), 409) == "state"
    assert refused(program.send("delete", f"crawls/{crawl.pk}"), 409) == "state"


def test_lists_are_filtered_and_paged(program: Program, topic: Topic) -> None:
    for number in range(5):
        made_crawl(topic, state=State.FINISHED if number % 2 else State.RUNNING)
    page = program.get("crawls", size=2, page=2).json()
    assert (page["count"], page["page"], page["size"], len(page["items"])) == (5, 2, 2, 2)
    assert program.get("crawls", state="finished").json()["count"] == 2
    assert program.get("crawls", topic=topic.pk + 1).json()["count"] == 0
    assert program.get("crawls", page=99).json()["items"] == []
    for query in (
        {"size": MOST + 1},
        {"page": 0},
        {"state": "asleep"},
        {"topic": "x"},
        {"topic": 10**30},
    ):
        refused(program.get("crawls", **query))


def test_webs_are_searched_ordered_and_paged(program: Program, ada) -> None:
    for pages, name in enumerate(("tides", "dunes", "reefs"), LEAST_PAGES):
        Web.objects.create(name=name, source=Web.Source.DEMO, owner=ada, pages=pages)
    page = program.get("webs", whose="yours", order="name", size=2).json()
    assert (page["count"], [web["name"] for web in page["items"]]) == (3, ["dunes", "reefs"])
    most = program.get("webs", q="-dunes", whose="yours", order="pages").json()["items"]
    assert [web["name"] for web in most] == ["reefs", "tides"]
    refused(program.get("webs", whose="everybody"))


def test_what_a_crawl_did_is_read(program: Program, crawl: Crawl) -> None:
    made_event(crawl, 1, "delta", 10, value=0.7, before=0.8, by=crawl.owner_id)
    made_host(crawl, "a.test", pages=60)
    one = f"crawls/{crawl.pk}"
    (event,) = program.get(f"{one}/events").json()["items"]
    assert (event["kind"], event["payload"]) == ("delta", {"value": 0.7, "before": 0.8})
    (host,) = program.get(f"{one}/hosts").json()["items"]
    assert (host["host"], host["pages"]) == ("a.test", 60)
    samples = program.get(f"{one}/samples", after=4).json()
    assert [(s["seq"], s["pages"]) for s in samples] == [(5, 50), (6, 60)]
    assert program.get(f"{one}/queue").json()[0]["url"] == "http://a.test/next"


def test_pages_are_searched_and_shown(program: Program, crawl: Crawl) -> None:
    one = f"crawls/{crawl.pk}/pages"
    listed = program.get(one, size=7, order="newest").json()
    assert (listed["count"], [row["page"] for row in listed["items"]]) == (60, [*range(60, 53, -1)])
    assert program.get(one, verdict="not").json()["count"] == 0
    assert program.get(one, http=200).json()["count"] == 60
    assert refused(program.get(one, since="soon")) == "since"
    assert refused(program.get(f"crawls/{crawl.pk}/exports/csv", role="king")) == "role"
    assert program.get(f"topics/{crawl.topic_id}/pages").json()["count"] == 60
    page = program.get(f"{one}/7", text=True).json()
    assert (page["url"], page["votes"], page["votes_of"]) == ("http://a.test/7", 2, 3)
    assert page["text"] is None  # its stored copy is gone
    assert program.get(f"{one}/61").status_code == 404


def test_exports_are_streamed(program: Program, crawl: Crawl) -> None:
    answer = program.get(f"crawls/{crawl.pk}/exports/csv")
    lines = whole(answer).decode().splitlines()
    assert len(lines) == 61 and answer["Content-Disposition"].endswith('sourdough.csv"')
    refused(program.get(f"crawls/{crawl.pk}/exports/warc"))  # the stored pages are gone
    refused(program.get(f"crawls/{crawl.pk}/exports/docx"), 404)


def test_the_catalogue_is_there(program: Program) -> None:
    assert [s["id"] for s in program.get("strategies").json()] == [c.id for c in CATALOGUE]
    assert [m["id"] for m in program.get("measures").json()] == [m.id for m in MEASURES]
    assert program.get("strategies/hcla").json()["parameters"][0]["effect"]
    refused(program.get("strategies/nonsense"), 404)


def test_addresses_there_are_not_answer_in_json(program: Program) -> None:
    for address in ("nonsense", "crawls/x", "crawls/1/nonsense/"):
        refused(program.get(address), 404)


@pytest.mark.parametrize("body", ["{", "[]", "null", '"text"', "\x00"])
def test_a_body_that_is_no_object_is_refused(program: Program, body: str) -> None:
    answer = program.send("post", "crawls", body)
    assert answer.status_code in (400, 422) and answer.json()["message"]


def test_inputs_are_set_listed_and_removed(program: Program, topic: Topic) -> None:
    one = f"topics/{topic.pk}/inputs"
    kinds = {row["kind"] for row in program.get(one).json()}
    assert {"inlinks", "corpus", "backlinks"} <= kinds
    text = "http://c.test/1\nnonsense\nhttp://c.test/2"
    corpus = program.send("put", f"{one}/corpus", {"text": text}).json()
    assert corpus["contents"][0].startswith("2 named") and corpus["untaken"] == 1
    assert program.get(f"topics/{topic.pk}").json()["corpus"] == [
        "http://c.test/1",
        "http://c.test/2",
    ]
    counts = program.send("put", f"{one}/inlinks", {"text": "http://example0.test/,7", "name": "x"})
    assert counts.status_code == 200 and "x" in counts.json()["contents"][0]
    refused(program.send("put", f"{one}/ranks", {"text": "nonsense"}))
    for kind in ("corpus", "inlinks"):
        assert program.send("delete", f"{one}/{kind}").status_code == 204
    assert program.get(f"topics/{topic.pk}").json()["corpus"] == []
    refused(program.send("put", f"{one}/nonsense", {"text": ""}), 404)
    outsider = Program(person("eve"))
    refused(outsider.get(one), 404)
    refused(outsider.send("put", f"{one}/corpus", {"text": text}), 404)


def test_what_is_computed_afterwards_is_there_with_its_sources(program, crawl):
    answer = program.get(f"crawls/{crawl.pk}/measures").json()
    assert (answer["crawl"], answer["pages"], answer["judged_by"]) == (crawl.pk, 60, "committee")
    assert sum(answer["distribution"]) == 60 and answer["recalled"] is None
    assert answer["coverage"].keys() == {measure.id for measure in MEASURES}
