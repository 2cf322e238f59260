"""Every strategy of the catalogue crawls for a topic that has keywords and examples only."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.services import ensure_owner
from apps.crawls.models import Crawl
from apps.engine.codes import Need, State, StopReason
from apps.engine.intelligence.strategies import CATALOGUE
from apps.topics.models import Topic
from apps.webs.importing import import_web
from tests.made_once import made_once
from tests.made_web import MadeWeb

pytestmark = pytest.mark.django_db(transaction=True)

MADE = MadeWeb(pages=120, hosts=6)
PAGES = 25


def urls(first: int, numbers: range) -> list[str]:
    return [MADE.url(4 * i + first) for i in numbers]


@pytest.fixture
def topic(data_dir: Path) -> Topic:
    """Keywords, seeds, ten positives and ten negatives in a recorded web; nothing else."""
    return made_once("keywords and examples", lambda: imported(data_dir), ensure_owner())


def imported(folder: Path) -> Topic:
    web_file, topic_file = folder / "made.jsonl", folder / "bread.json"
    web_file.write_text(MADE.json_lines())
    topic_file.write_text(
        json.dumps(
            {
                "name": "Bread",
                "keywords": ["dough", "flour"],
                "seeds": urls(0, range(20, 23)),
                "positives": urls(0, range(10)),
                "negatives": urls(1, range(10)),
            }
        )
    )
    import_web("made", web_file)
    call_command("import_topic", str(topic_file), "--web", "made", stdout=StringIO())
    return Topic.objects.get()


def crawl(strategy: str, *more: str) -> Crawl:
    call_command(
        "crawl",
        "Bread",
        "--strategy",
        strategy,
        "--pages",
        str(PAGES),
        "--web",
        "made",
        "--seed-value",
        "1",
        *more,
    )
    return Crawl.objects.latest("pk")


ALONE = [cls.id for cls in CATALOGUE if Need.CRAWL not in cls.needs]
# What one of them stores the others store.
EACH = [
    pytest.param(id_, marks=[pytest.mark.alike] * (id_ != "text_window_combo")) for id_ in ALONE
]


@pytest.mark.parametrize("strategy", EACH)
def test_it_runs_to_its_budget(topic: Topic, strategy: str) -> None:
    done = crawl(strategy)
    assert (done.state, done.reason, done.pages) == (
        State.FINISHED,
        StopReason.BUDGET_REACHED,
        PAGES,
    )


def test_only_the_recall_crawler_needs_more_and_names_what(topic: Topic) -> None:
    assert {cls.id for cls in CATALOGUE} - set(ALONE) == {"recall_crawler"}
    with pytest.raises(CommandError, match=r"learns from an earlier crawl.*--earlier ID"):
        crawl("recall_crawler")


def test_learning_off_line_is_named_too(topic: Topic) -> None:
    with pytest.raises(CommandError, match="learns from an earlier crawl"):
        crawl("apprentice", "--set", "mode=offline")


@pytest.mark.parametrize(
    ("strategy", "more"),
    [
        ("recall_crawler", ()),
        pytest.param("recall_crawler", ("--set", "guide=best_first"), marks=pytest.mark.alike),
        pytest.param("apprentice", ("--set", "mode=offline"), marks=pytest.mark.alike),
        pytest.param("anchor_decision_tree", ("--set", "mode=offline"), marks=pytest.mark.alike),
    ],
)
def test_it_learns_from_an_earlier_crawl(
    topic: Topic, strategy: str, more: tuple[str, ...]
) -> None:
    earlier = crawl("breadth_first")
    done = crawl(strategy, "--earlier", str(earlier.pk), *more)
    assert done.state == State.FINISHED and done.earlier_pages == PAGES
    fetched = set(done.pages_fetched.values_list("final_url", flat=True))
    if strategy == "recall_crawler":
        assert fetched <= set(earlier.pages_fetched.values_list("final_url", flat=True))
        assert len(fetched) > PAGES // 2
    else:
        assert done.pages == PAGES


def test_the_apprentice_takes_classes_from_the_topics_own_taxonomy(topic: Topic) -> None:
    assert crawl("apprentice", "--set", "classes=true").reason == StopReason.BUDGET_REACHED
