"""Labels that take effect: exactly, repeatably, and to some good."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from apps.engine import checkpoint
from apps.engine.codes import StopReason
from apps.engine.crawl.checkpointing import state_of
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.crawl.relearning.lessons import with_labels
from apps.engine.crawl.resuming import resume
from apps.engine.crawl.retraining import apply_lesson, prepare_lesson
from apps.engine.events import Batch, PageRecord
from apps.engine.frontier.parents import POLICIES
from apps.engine.frontier.url_states import UrlState
from apps.engine.intelligence.strategies import CATALOGUE, strategy
from apps.engine.intelligence.strategies.relearns import relearning
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.webs.virtual_web import RecordedFetcher, read
from apps.engine.topics import Topic
from tests.engine.crawl.crawls import NEEDS_MET, POLITE, batches_of, recorded_crawl, requests_of
from tests.engine.crawl.labelled import MadeLibrary, teach
from tests.engine.crawl.test_resuming import Rows
from tests.made_web import MadeWeb, bread_topic

pytestmark = pytest.mark.usefixtures("parsed_once")

WEB = MadeWeb()
READERS = [kind.id for kind in CATALOGUE if kind.needs <= NEEDS_MET and relearning(kind())]
LABELS = (3, 5, 8, 11, 13, 14)
SHORT = {"budget": 55, "batch_requests": 10}


async def run_until(crawl: CrawlLoop, requests: int) -> list[PageRecord]:
    """The pages of all batches up to that many requests."""
    pages: list[PageRecord] = []
    async for batch in crawl.run():
        pages += batch.pages
        if batch.totals.requests >= requests:
            break
    return pages


async def crawl_with_library(strategy_id: str, **options) -> CrawlLoop:
    crawl = recorded_crawl(WEB, strategy_id, **options)
    crawl.start()
    pages = await run_until(crawl, 25)
    crawl.library = MadeLibrary(WEB, pages)
    return crawl


@pytest.mark.parametrize(
    ("strategy_id", "policy"),
    [
        *(("text_window_combo", policy) for policy in POLICIES),
        ("full_page", "max"),
        ("adaptive_utility", "mean"),
    ],
)
async def test_every_waiting_link_gets_what_its_pages_give_it_now(strategy_id, policy):
    crawl = await crawl_with_library(strategy_id, policy=policy)
    await teach(crawl, LABELS)
    expected = await slow_priorities(crawl)
    waiting = crawl.frontier.waiting_numbers().tolist()
    linked = [n for n in waiting if crawl.frontier.parent[n] >= 0]
    assert linked
    assert {n: crawl.frontier.priority[n] for n in linked} == pytest.approx(
        {n: expected[n] for n in linked}
    )
    assert all(crawl.frontier.priority[n] == 1 for n in waiting if n not in linked)


async def test_labels_act_on_every_link_as_if_the_classifier_had_known_them_from_the_start():
    crawl = await crawl_with_library("learner")
    before = crawl.frontier.priority.tolist()
    await teach(crawl, LABELS)
    fresh = type(crawl.strategy)().fit(crawl.guide.topic)
    for page in crawl.library.fetched:
        answer = read(WEB, page.answer.final_url)
        fresh.learn(crawl.guide.reader.reread(answer, page.number, crawl.frontier, page.seq))
    fresh.weights_ = crawl.strategy.weights_
    fresh.knowledge_.refresh()
    waiting = crawl.frontier.waiting_numbers()
    linked = waiting[np.array(crawl.frontier.parent)[waiting] >= 0]
    expected = fresh._chances(linked, fresh.knowledge_.parts(linked))
    assert [crawl.frontier.priority[n] for n in linked.tolist()] == pytest.approx(expected)
    assert np.array(before)[linked] != pytest.approx(expected)


@pytest.mark.parametrize("strategy_id", ["learner", "status_learner", "experts"])
async def test_a_label_moves_the_links_beside_its_page_at_once_and_comes_back_with_it(strategy_id):
    crawl = await crawl_with_library(strategy_id)
    frontier = crawl.frontier
    crawl.turns.reorder()
    page = next(p for p in crawl.library.fetched if p.parent >= 0 and p.topicality < 0.5)
    linking = {p.number for p in crawl.library.fetched if page.number in p.outlinks}
    waiting = frontier.waiting_numbers()
    rows, pages = frontier.edges(waiting)
    beside = waiting[np.unique(rows[np.isin(pages, [*linking, page.number])])]

    def heeded(relevant: bool | None) -> np.ndarray:
        labels = [[page.seq, page.number, page.answer.final_url, relevant]]
        assert crawl.change("heed", {"labels": labels}).pages == crawl.pages
        return np.array(frontier.priority)[beside]

    before, good, bad = heeded(None), heeded(True), heeded(False)
    assert len(beside) and (good > before).any() and (bad < good).any()
    assert heeded(None) == pytest.approx(before)


async def test_a_strategy_that_heeds_no_label_keeps_its_queue():
    crawl = await crawl_with_library("full_page")
    before = crawl.frontier.priority.tolist()
    page = crawl.library.fetched[3]
    heed(crawl, page)
    assert crawl.frontier.priority.tolist() == before
    message = crawl.recorder.measures.all["estimated_recall"].labels
    assert message == {page.seq: "bread" in WEB.labels(page.answer.final_url)}


async def slow_priorities(crawl: CrawlLoop) -> dict[int, float]:
    """Each URL's priority from the scores of its pages, one link after the other."""
    scores: dict[int, list[float]] = defaultdict(list)
    for page in crawl.library.fetched:
        answer = read(WEB, page.answer.final_url)
        visit = crawl.guide.reader.reread(answer, page.number, crawl.frontier, page.seq)
        of_links = crawl.strategy.score_links(visit)
        for number, score in zip(visit.link_numbers.tolist(), of_links, strict=True):
            scores[number].append(float(score))
    policy = crawl.frontier.policy
    combine = {"max": max, "first": lambda s: s[0], "mean": np.mean, "sum": sum}.get(policy.id)

    def one_by_one(links: list[float]) -> float:
        priority = links[0]
        for seen, score in enumerate(links[1:], 1):
            priority = policy.merge(priority, seen, score)
        return priority

    return {n: float((combine or one_by_one)(links)) for n, links in scores.items()}


@pytest.mark.parametrize("strategy_id", READERS)
async def test_packed_contexts_score_bit_for_bit_as_the_page_does(strategy_id):
    crawl = await crawl_with_library(strategy_id)
    await teach(crawl, LABELS)
    for page in crawl.library.fetched:
        assert bool(page.contexts) == (crawl.strategy.reads != "page")
        if page.contexts:
            kept = crawl.guide.reader.unpack(
                page.contexts, page.number, page.answer.final_url, page.seq
            )
            answer = read(WEB, page.answer.final_url)
            again = crawl.guide.reader.reread(answer, page.number, crawl.frontier, page.seq)
            assert kept.topicality in (again.topicality, None)
            if crawl.strategy.scores == "urls":
                both = (crawl.strategy.read_again(visit) for visit in (kept, again))
                assert np.array_equal(*both)
                continue
            scores = (crawl.strategy.score_links(visit) for visit in (kept, again))
            assert np.array_equal(*(np.asarray(s, np.float64) for s in scores), equal_nan=True)


@pytest.mark.parametrize("strategy_id", ["text_window_combo", "adaptive_utility", "learner"])
async def test_what_is_rated_ahead_or_kept_by_nobody_comes_to_the_same(strategy_id):
    """Rated before the lesson takes effect; when it does; and from the pages themselves."""
    priorities = []
    for ahead, kept in ((True, True), (False, True), (False, False)):
        crawl = await crawl_with_library(strategy_id)
        if not kept:
            fetched = crawl.library.fetched
            crawl.library.fetched = [replace(page, contexts=b"") for page in fetched]
        lesson = await prepare_lesson(crawl, LABELS)
        if ahead:
            await lesson.rate_ahead(crawl.library, crawl.frontier, few=0)
            wanted = (
                np.unique(waiting_links(crawl)[1])
                if strategy_id != "learner"
                else (crawl.frontier.fetched_numbers())
            )
            assert crawl.library.read == len(wanted)
        before = crawl.library.read
        event = await apply_lesson(crawl, lesson, {})
        assert crawl.library.read - before == (0 if ahead else event.payload["reread"])
        priorities.append(crawl.frontier.priority.tolist())
    assert priorities[0] == priorities[1] == priorities[2]


def waiting_links(crawl: CrawlLoop) -> tuple[np.ndarray, np.ndarray]:
    return crawl.frontier.edges(crawl.frontier.scorable_numbers())


def test_pages_labelled_off_the_topic_weigh_little_where_it_has_negatives_enough():
    topic = bread_topic(WEB)
    for_, against = ([WEB.example(i) for i in range(start, 80, 4)] for start in (0, 1))

    def weights(kept: tuple, labelled: list) -> list[float]:
        taught_topic = with_labels(replace(topic, training=kept), labelled)
        return [e.weight for e in taught_topic.training[len(kept) :]]

    positive, negative = topic.training[:10], topic.training[10:]
    assert weights((*positive, *negative), for_) == [1.0] * 20
    assert sum(weights((*positive, *negative), against)) == pytest.approx(0.02 * len(negative))
    assert sum(weights((*positive, *negative[:4]), against)) == pytest.approx(10 - 4)
    assert weights((*positive, *negative[:4]), against[:3]) == [1.0] * 3


def test_labelled_pages_make_no_word_more_usual_but_show_which_go_together():
    unlabelled = tuple(WEB.example(i).document for i in (4, 5, 6, 7))
    topic = replace(bread_topic(WEB), background=unlabelled)
    own, new = topic.training[0], WEB.example(8)
    assert new.relevant and new.url not in {each.url for each in topic.training}
    before = TopicModel(topic)
    after = TopicModel(with_labels(topic, [own, new]), before.vocabulary)
    assert len(after.rows()) == len(before.rows()) + 1
    assert after.world().texts_ == len(unlabelled)
    positions = np.searchsorted(after.world().terms_, before.world().terms_)
    assert after.world().idf_[positions].tolist() == before.world().idf_.tolist()
    assert after.world().digest() != before.world().digest()


async def test_the_best_page_becomes_the_parent_and_later_links_count_on():
    crawl = await crawl_with_library("full_page", policy="mean")
    await teach(crawl, LABELS)
    frontier = crawl.frontier
    numbers = frontier.waiting_numbers()
    rows, pages = frontier.edges(numbers)
    seen = np.bincount(rows, minlength=len(numbers))
    for position, number in enumerate(numbers.tolist()):
        assert frontier.links_seen(number) == max(seen[position], 1)
        if frontier.parent[number] >= 0:
            assert frontier.parent[number] in pages[rows == position]


@pytest.mark.parametrize("strategy_id", READERS)
async def test_a_crawl_killed_after_labels_goes_on_as_if_nothing_had_been(
    strategy_id, tmp_path: Path
):
    """Killed with a checkpoint from before the labels, and with one from after them."""
    rows, checkpoints = Rows(), {at: tmp_path / f"{at}.npz" for at in (10, 30)}
    crawl = recorded_crawl(WEB, strategy_id, **SHORT)
    crawl.start()
    await labelled_run(crawl, rows, 40, checkpoints)
    expected = requests_of(await batches_of(crawl))
    assert len(expected) >= SHORT["budget"] - 40
    for kept_at, path in checkpoints.items():
        kept = checkpoint.read(path)
        assert kept["labels"] == ([] if kept_at == 10 else list(LABELS))
        again = recorded_crawl(WEB, strategy_id, **SHORT)
        again.library = MadeLibrary(WEB, rows.pages)
        await resume(again, kept, rows.records(), rows.after(kept["requests"]))
        assert again.guide.labels == LABELS
        assert requests_of(await batches_of(again)) == expected


async def labelled_run(
    crawl: CrawlLoop, rows: Rows, until: int, checkpoints: Mapping[int, Path] = MappingProxyType({})
) -> None:
    """Labels take effect after 20 requests, and are committed by themselves."""
    rows.pages = []
    async for batch in crawl.run():
        keep(batch, rows)
        if batch.totals.requests == 20:
            crawl.library = MadeLibrary(WEB, rows.pages)
            heed(crawl, rows.pages[LABELS[0]])
            await teach(crawl, LABELS)
            heed(crawl, rows.pages[LABELS[1]])
            keep(crawl.close_batch(), rows)
        if batch.totals.requests in checkpoints:
            checkpoint.write(checkpoints[batch.totals.requests], state_of(crawl))
        if batch.totals.requests >= until:
            return


def heed(crawl: CrawlLoop, page: PageRecord) -> None:
    """The page's label counts now."""
    url = page.answer.final_url
    crawl.change("heed", {"labels": [[page.seq, page.number, url, "bread" in WEB.labels(url)]]})


def keep(batch: Batch, rows: Rows) -> None:
    rows.commit(batch)
    rows.pages += batch.pages


async def test_labels_without_any_checkpoint_are_replayed():
    rows = Rows()
    crawl = recorded_crawl(WEB, "text_window_combo", **SHORT)
    crawl.start()
    await labelled_run(crawl, rows, 30)
    again = recorded_crawl(WEB, "text_window_combo", **SHORT)
    again.library = MadeLibrary(WEB, rows.pages)
    await resume(again, None, rows.records(), rows.after(0))
    priorities = [a.frontier.priority.tolist() for a in (crawl, again)]
    assert priorities[0] == priorities[1]


async def test_the_event_has_what_was_done_and_the_quality_before_and_after():
    crawl = await crawl_with_library("adaptive_utility")
    event = await teach(crawl, LABELS)
    assert (event.kind, event.request, event.pages) == ("labels", crawl.requests, crawl.pages)
    message = event.payload
    assert message["labels"] == list(LABELS) and message["by"] == 1
    assert message["reread"] == crawl.library.read > 0
    assert message["rescored"] == int(
        (np.array(crawl.frontier.parent)[crawl.frontier.waiting_numbers()] >= 0).sum()
    )
    for moment in ("before", "after"):
        assert 0 <= message["quality"][moment]["f1"]["mean"] <= 1
    assert checkpoint_safe(event.payload)


def checkpoint_safe(payload: dict) -> bool:
    """Whether the payload can stand in a JSON column."""
    import json

    return json.loads(json.dumps(payload)) == payload


async def test_taking_all_labels_back_restores_what_was():
    crawl = await crawl_with_library("text_window_combo")
    before = dict(enumerate(crawl.frontier.priority))
    await teach(crawl, LABELS)
    assert dict(enumerate(crawl.frontier.priority)) != before
    await teach(crawl, ())
    after = dict(enumerate(crawl.frontier.priority))
    waiting = crawl.frontier.waiting_numbers().tolist()
    assert [after[n] for n in waiting] == pytest.approx([before[n] for n in waiting])
    assert crawl.guide.labels == ()


async def test_the_learner_learns_the_same_weights_again_without_labels():
    crawl, other = [await crawl_with_library("learner") for _ in range(2)]
    await teach(crawl, ())
    again, before = crawl.strategy, other.strategy
    for each in (again, before):
        each.weights_.learn()
    assert again.weights_.parts == pytest.approx(before.weights_.parts)
    waiting = other.frontier.waiting_numbers()
    texts_and_parents = [each.knowledge_.parts(waiting)[:, :5] for each in (again, before)]
    assert texts_and_parents[0] == pytest.approx(texts_and_parents[1])


async def test_what_was_learned_of_the_crawl_is_kept():
    crawl = await crawl_with_library("adaptive_utility")
    alpha = crawl.strategy.telemetry()["alpha"]
    crawl.change("delta", {"value": 0.4})
    vocabulary = crawl.guide.topic.vocabulary
    words = len(vocabulary)
    await teach(crawl, LABELS)
    assert crawl.strategy.telemetry()["alpha"] == alpha
    assert crawl.strategy.delta == 0.4
    assert crawl.guide.topic.vocabulary is vocabulary and len(vocabulary) == words


async def test_the_committee_stays_as_it_was():
    crawl = await crawl_with_library("full_page")
    judges = crawl.recorder._committee
    await teach(crawl, LABELS)
    assert crawl.recorder._committee is judges


async def test_a_strategy_that_reads_no_examples_keeps_its_queue():
    crawl = await crawl_with_library("shark_search")
    before = crawl.frontier.priority.tolist()
    event = await teach(crawl, LABELS)
    assert crawl.frontier.priority.tolist() == before
    assert (event.payload["rescored"], crawl.library.read) == (0, 0)


async def test_links_rejected_before_may_come_back_and_others_go():
    crawl = taught_crawl(WEB, doubtful_topic(WEB), "selective_link_context", 120)
    pages = await run_until(crawl, 40)
    crawl.library = MadeLibrary(WEB, pages)
    before = crawl.frontier.excluded["rejected_by_strategy"]
    await teach(crawl, tuple(page.seq for page in pages))
    after = crawl.frontier.excluded["rejected_by_strategy"]
    assert before != after
    numbers = crawl.frontier.scorable_numbers()
    states = {crawl.frontier.state_of(n) for n in numbers.tolist()}
    assert states == {UrlState.WAITING, UrlState.EXCLUDED}
    assert crawl.close_batch().totals.excluded["rejected_by_strategy"] == after
    assert crawl.frontier.counts[UrlState.NEW] == 0


def taught_crawl(web: MadeWeb, topic: Topic, strategy_id: str, budget: int) -> CrawlLoop:
    model = TopicModel(topic, seed=1)
    crawl = CrawlLoop(
        Plan(budget, budget * 5, politeness=POLITE, recorded=True, batch_seconds=600.0),
        model,
        strategy(strategy_id)(),
        RecordedFetcher(web),
        committee=model.committee(),
        labels=lambda url: "bread" in web.labels(url),
        inlinks=model.topic.inlinks.get,
    )
    crawl.start()
    return crawl


def doubtful_topic(web: MadeWeb) -> Topic:
    """Three examples of either kind that are right, and three that are wrong."""
    bread, stars = bread_topic(web).training[:6], bread_topic(web).training[10:16]
    wrong = [replace(e, relevant=not e.relevant) for e in (*bread[3:], *stars[3:])]
    return replace(bread_topic(web), training=(*bread[:3], *stars[:3], *wrong))


async def test_a_labelled_crawl_harvests_more_than_an_unlabelled_one():
    """Twelve labels, of the pages it was least sure of, after 60 pages; harvest of the next 120."""
    gains = []
    for seed in (1, 2):
        web = MadeWeb(1600, seed=seed)
        rates = [await later_harvest(web, labels) for labels in (0, 12)]
        gains.append(rates[1] - rates[0])
    assert min(gains) > 0.02, gains
    assert np.mean(gains) > 0.08, gains


async def later_harvest(web: MadeWeb, labels: int) -> float:
    crawl = taught_crawl(web, doubtful_topic(web), "text_window_combo", 180)
    pages: list[PageRecord] = []
    async for batch in crawl.run():
        pages += batch.pages
        if labels and crawl.pages >= 60 and not crawl.guide.labels:
            crawl.library = MadeLibrary(web, pages)
            unsure = sorted(pages, key=lambda page: abs(page.topicality - 0.5))[:labels]
            await teach(crawl, sorted(page.seq for page in unsure))
        if batch.finished:
            assert batch.finished is StopReason.BUDGET_REACHED
    later = [page for page in pages if page.seq > 60 + 25]
    return float(np.mean(["bread" in web.labels(page.answer.final_url) for page in later]))
