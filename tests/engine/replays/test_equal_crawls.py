"""Crawls of a parsed web are those of the recorded web, bit for bit, for every strategy."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from apps.engine.crawl.checkpointing import state_of
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.events import Batch
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.evidence.text_reader import TextReader
from apps.engine.intelligence.strategies import CATALOGUE, strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.fetcher import Fetcher
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots.files import Robots
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from apps.engine.replays.parsed_web import ParsedWeb
from apps.engine.replays.preparing import prepare
from tests.engine.intelligence.strategies.toy import small
from tests.engine.replays.odd_web import OddWeb, rich_topic

pytestmark = pytest.mark.usefixtures("parsed_once")

PAGES = 60
every_strategy = pytest.mark.parametrize("cls", CATALOGUE, ids=lambda cls: cls.id)


def crawled(
    model: TopicModel,
    fetcher: Fetcher,
    strategy_id: str,
    *,
    robots: bool = True,
    scope: Scope | None = None,
    budget: int = PAGES,
    **parameters: object,
) -> dict[str, Any]:
    """All that a crawl leaves behind."""
    cls = strategy(strategy_id)
    plan = Plan(
        budget,
        5 * budget,
        scope or Scope(),
        Politeness(delay=0.0),
        recorded=True,
        batch_seconds=600.0,
    )
    crawl = CrawlLoop(
        plan,
        model,
        cls.build(small(cls) | parameters),
        fetcher,
        committee=model.committee(),
        robots=Robots("test/1.0") if robots else None,
        inlinks=model.topic.inlinks.get,
        labels=lambda url: "/p/4" in url,
        relevant=20,
    )

    batches: list[Batch] = []

    async def run() -> None:
        """Returns nothing, since `asyncio.run` would write all of it as text."""
        crawl.start()
        batches.extend([batch async for batch in crawl.run()])

    asyncio.run(run())
    state = state_of(crawl) | {"reorder_seconds": 0.0, "robots": None}
    return {
        "batches": [plain(batch) for batch in batches],
        "state": plain(state),
        "urls": crawl.frontier.urls,
    }


UNLIKE = frozenset(
    (
        *("fetched_at", "document", "body", "asked_at", "reorder_seconds", "head", "load"),
        *("at", "read_at", "site_opt_outs"),
    )
)
"""What differs between any two crawls or hangs on how long they take, and the body, which a replay
leaves empty."""


def plain(value: Any) -> Any:
    """A value with its dataclasses and arrays as lists, to be compared bit for bit."""
    if isinstance(value, np.ndarray):
        return [str(value.dtype), value.shape, value.tobytes()]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items() if key not in UNLIKE}
    if hasattr(value, "__dataclass_fields__"):
        return {n: plain(getattr(value, n)) for n in value.__dataclass_fields__ if n not in UNLIKE}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return value


@pytest.fixture(scope="module")
def models(odd_web: OddWeb, parsed: ParsedWeb) -> tuple[TopicModel, TopicModel]:
    """The topic of documents that were parsed, and of documents from columns."""
    return (
        TopicModel(rich_topic(odd_web), seed=1),
        TopicModel(rich_topic(odd_web, parsed.document), seed=1),
    )


@every_strategy
def test_every_strategy_crawls_alike(cls, models, odd_web, parsed):
    recorded = crawled(models[0].for_another_crawl(), RecordedFetcher(odd_web), cls.id)
    replayed = crawled(models[1].for_another_crawl(), parsed.fetcher(), cls.id)
    assert sum(len(batch["pages"]) for batch in recorded["batches"]) > 20
    assert replayed == recorded


@pytest.mark.parametrize("id", ["learner", "experts", "status_learner"])
def test_what_is_remembered_of_pages_changes_no_later_crawl(id, odd_web, parsed, monkeypatch):
    model = TopicModel(rich_topic(odd_web, parsed.document), seed=1)
    few, short = {"scope": Scope(links_per_page=3)}, {"window": 5}

    def crawl(options: dict[str, Any], by: TopicModel = model) -> dict[str, Any]:
        return crawled(by.for_another_crawl(), parsed.fetcher(), id, **options)

    settings = [{}, few, *([short] if id == "learner" else [])]
    fresh = [
        crawl(options, TopicModel(rich_topic(odd_web, parsed.document), seed=1))
        for options in settings
    ]
    for _ in range(2):
        assert [crawl(options) for options in settings] == fresh
    monkeypatch.setattr(TextReader, "_score", None)
    assert crawl({}) == fresh[0], "no text of a page is scored again"


@pytest.mark.parametrize(
    "options",
    [
        {"robots": False},
        {"scope": Scope(links_per_page=3)},
        {"scope": Scope(pages_per_host=9, frontier_cap=50, deny_patterns=("*/p/1*",))},
        {"classifier": "nn", "weighting": "tfipndf"},
    ],
    ids=str,
)
def test_so_it_is_with_other_settings(options, models, odd_web, parsed):
    one, other = (model.for_another_crawl() for model in models)
    recorded = crawled(one, RecordedFetcher(odd_web), "tag_tree_combo", **options)
    assert crawled(other, parsed.fetcher(), "tag_tree_combo", **options) == recorded


def test_so_it_is_with_pages_cut_to_a_limit_of_bytes(models, odd_web, tmp_path):
    prepare(tmp_path / "cut", odd_web, 700)
    cut = ParsedWeb(tmp_path / "cut", odd_web, 700).fetcher()
    one, other = (model.for_another_crawl() for model in models)
    recorded = crawled(one, RecordedFetcher(odd_web, 700), "apprentice")
    assert any(page["answer"]["truncated"] for page in recorded["batches"][0]["pages"])
    assert crawled(other, cut, "apprentice") == recorded


def test_the_crawls_meet_everything_that_is_odd(models, odd_web):
    last = crawled(
        models[0].for_another_crawl(), RecordedFetcher(odd_web), "breadth_first", budget=400
    )
    met = {str(error) for error in last["batches"][-1]["totals"]["errors"]}
    assert met >= {
        "block_page",
        "dns",
        "empty",
        "http_404",
        "http_503",
        "noindex",
        "not_text",
        "redirect_to_known",
        "robots",
    }
    kinds = {event["kind"] for batch in last["batches"] for event in batch["events"]}
    assert kinds == {"trap"}
    pages = [page["answer"] for batch in last["batches"] for page in batch["pages"]]
    assert any(page["hops"] for page in pages) and any(page["truncated"] for page in pages)
