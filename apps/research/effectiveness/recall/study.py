"""How well recall is estimated: crawls of topics whose relevant pages are all labelled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.engine.codes import StopReason
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.relearning.proposing import Candidate, propose
from apps.engine.evaluation.estimated_recall import AHEAD, FEWEST_REQUESTS, EstimatedRecall
from apps.engine.evaluation.measure import JudgedPage
from apps.engine.events import PageRecord, SampleRecord
from apps.engine.intelligence.topic_model import TopicModel
from apps.experiments.cells.assembly import plan_of
from apps.experiments.cells.running import event_loop
from apps.experiments.design.variants import Variant
from apps.research.effectiveness.crawling import DEFAULT_POLICY, LEARNER, CrawlStudy, StudiedTopic
from apps.research.effectiveness.reachable import ReachableLinks
from apps.research.effectiveness.recall.result import Moment, Reading, ReadTopic
from apps.research.effectiveness.saved_result import DIGITS
from apps.research.effectiveness.schema import LearnerWeights
from apps.research.effectiveness.weighed_learner import WeighedLearner

RECALL_PAGES = 1_550
MOMENTS = (100, 150, 250, 350, 500, 1_000)
"""In requests beside the seeds."""
LABELS = 30
BY_TRUTH, BY_JUDGES, BY_LABELS = "the web's labels", "the judges", f"the judges, {LABELS} labels"


@dataclass(frozen=True, slots=True)
class _CrawledPage:
    """A page of a crawl: its record, its input to measures, and whether it is relevant."""

    record: PageRecord
    judged: JudgedPage
    relevant: bool


def read_topic(study: CrawlStudy, topic: StudiedTopic, links: ReachableLinks) -> ReadTopic:
    """Crawls for the topic with half of its examples; the judges have the other half. Moments at
    which nothing is estimated yet, or that the crawl does not reach, are left out."""
    model = _halved(topic.model)
    pages, is_whole = _crawl(study, topic, model)
    times = _requests(pages)
    relevant = links.reachable(model.topic.seeds) & topic.relevant - set(model.topic.seeds)
    return ReadTopic(
        topic=topic.name,
        reachable=len(relevant),
        moments=tuple(
            _moment(at, pages, is_whole, _examples(model))
            for at in MOMENTS
            if at <= times[-1] and any(FEWEST_REQUESTS <= time <= at for time in times)
        ),
    )


def _halved(model: TopicModel) -> TopicModel:
    """The topic whose judges have every other of its positive and of its negative examples."""
    sides = [
        [each for each in model.topic.training if each.relevant == relevant]
        for relevant in (True, False)
    ]
    own = tuple(each for side in sides for each in side[::2])
    judges = tuple(each for side in sides for each in side[1::2])
    halved = replace(model.topic, training=own, evaluation=judges)
    return TopicModel(halved, seed=model.seed, trained=model.trained)


def _examples(model: TopicModel) -> set[str]:
    return {each.url for each in (*model.topic.training, *model.topic.evaluation)}


def _crawl(
    study: CrawlStudy, topic: StudiedTopic, model: TopicModel
) -> tuple[Sequence[_CrawledPage], bool]:
    """The pages of a crawl, and whether it ended for want of links."""
    plan = replace(plan_of(study.design, Variant("", {}, DEFAULT_POLICY)), sample_every=1)
    crawl = CrawlLoop(
        plan,
        model,
        WeighedLearner(LearnerWeights(name=LEARNER), {}),
        study.web.fetcher(),
        committee=model.committee(),
    )
    crawl.start()
    pages: list[_CrawledPage] = []
    with event_loop() as loop:
        finished = loop.run_until_complete(_collect(crawl, topic, pages))
    return pages, finished != StopReason.BUDGET_REACHED


async def _collect(
    crawl: CrawlLoop, topic: StudiedTopic, pages: list[_CrawledPage]
) -> StopReason | None:
    finished = None
    async for batch in crawl.run():
        for page, sample in zip(batch.pages, batch.samples, strict=True):
            relevant = page.answer.final_url in topic.relevant
            pages.append(_CrawledPage(page, _judge(page, sample, relevant), relevant))
        finished = batch.finished
    return finished


def _judge(page: PageRecord, sample: SampleRecord, relevant: bool) -> JudgedPage:
    return JudgedPage(
        seq=page.seq,
        url=page.answer.url,
        final_url=page.answer.final_url,
        hops=(),
        seed=page.seed,
        verdict=page.verdict,
        label=relevant,
        topicality=page.topicality,
        status_log=None,
        inlinks=None,
        requests=int(sample.metrics["requests"] or 0),
        waiting=int(sample.metrics["waiting"] or 0),
    )


def _requests(pages: Sequence[_CrawledPage]) -> list[int]:
    """The requests beside the seeds that were made with each page."""
    seeds, requests = 0, []
    for page in pages:
        seeds += page.judged.seed
        requests.append(page.judged.requests - seeds)
    return requests


def _moment(at: int, pages: Sequence[_CrawledPage], is_whole: bool, examples: set[str]) -> Moment:
    times = _requests(pages)
    so_far = [page for page, time in zip(pages, times, strict=True) if time <= at]
    finds = [
        time
        for page, time in zip(pages, times, strict=True)
        if page.relevant and not page.judged.seed
    ]
    is_seen = is_whole or times[-1] >= at + AHEAD
    return Moment(
        at=at,
        fetched=sum(time <= at for time in finds),
        added=sum(at < time <= at + AHEAD for time in finds) if is_seen else None,
        estimates={
            BY_TRUTH: _reading([page.judged._replace(verdict=None) for page in so_far]),
            BY_JUDGES: _reading([page.judged for page in so_far]),
            BY_LABELS: _reading([page.judged for page in so_far], _labels(so_far, examples)),
        },
    )


def _labels(so_far: Sequence[_CrawledPage], examples: set[str]) -> dict[int, bool]:
    """The true labels of the pages that the product proposes by then."""
    fetched = {page.record.number for page in so_far}
    candidates = (
        Candidate(
            page.record.seq,
            page.record.topicality or 0.0,
            len(set(page.record.outlinks.tolist()) - fetched),
        )
        for page in so_far
        if page.record.answer.final_url not in examples
    )
    truth = {page.record.seq: page.relevant for page in so_far}
    return {each.page: truth[each.page] for each in propose(candidates, LABELS)}


def _reading(pages: Sequence[JudgedPage], labels: dict[int, bool] | None = None) -> Reading:
    measure = EstimatedRecall()
    for page in pages:
        measure.update(page)
    for seq, relevant in (labels or {}).items():
        measure.count_label(seq, relevant)
    measure.renew()
    estimate = measure.estimated()
    return Reading(
        fetched=round(estimate.fetched, DIGITS),
        low=estimate.low,
        left=estimate.left,
        high=estimate.high,
        soon=round(estimate.soon, DIGITS),
    )
