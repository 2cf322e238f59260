"""The numbers of a crawl do not depend on where its batches end."""

from __future__ import annotations

import numpy as np

from apps.engine.answers import Answer
from apps.engine.crawl.recording import Pending, Recorder
from apps.engine.evaluation.measure import GroundTruth
from apps.engine.events import PageRecord
from apps.engine.intelligence.classifying.page_memory import PageMemory
from apps.engine.model import TokenRows, Verdict
from tests.engine.crawl.crawls import recorded_crawl
from tests.made_web import MadeWeb


async def test_the_numbers_of_a_strategy_stand_in_a_batch_without_pages_too():
    crawl = recorded_crawl(MadeWeb(), "adaptive_utility", parameters={"memory": 5})
    crawl.start()
    async for batch in crawl.run():
        if batch.pages:
            break
    empty = crawl.close_batch()
    assert batch.pages and not empty.pages
    assert empty.metrics == batch.metrics
    assert empty.metrics["mean_tau"] == batch.pages[-1].telemetry["mean_tau"]


class Yes:
    """A judge that calls every page relevant."""

    judged_by = "committee"

    def __init__(self) -> None:
        self.of_pages: PageMemory[Verdict] = PageMemory()

    def judge(self, pages: TokenRows) -> list[Verdict]:
        return [Verdict(3, 3, 1.0)] * len(pages)


def pending(seq: int, *, script: bool) -> Pending:
    url = f"http://a.test/{seq}"
    record = PageRecord(
        seq=seq,
        request=seq,
        number=seq,
        answer=Answer(url, url, 200, (), b""),
        host="a.test",
        title="",
        words=4 if script else 400,
        canonical="",
        needs_javascript=script,
        topicality=None,
        status=None,
        status_log=None,
        seed=False,
        priority=0.0,
        parent=-1,
        depth=0,
        record=None,
        outlinks=np.array([], np.int32),
        telemetry={},
        contexts=b"",
        verdict=None,
    )
    return Pending(record, np.array([1], np.int32), None, 0)


def test_pages_that_need_javascript_are_counted_and_not_judged():
    recorder = Recorder(
        committee=Yes(),
        truth=GroundTruth(),
        labels=lambda url: None,
        inlinks=lambda url: None,
        sample_every=10,
    )
    for seq in range(1, 4):
        recorder.page(pending(seq, script=seq != 2))
    pages = recorder.close()[0]
    assert [page.verdict is None for page in pages] == [True, False, True]
    assert recorder.metrics["needs_javascript"] == 2
    assert recorder.metrics["harvest_rate"] == 1.0
    recorder.page(pending(4, script=True))
    recorder.close()
    assert recorder.metrics["needs_javascript"] == 3
    assert recorder.measures.all["harvest_rate"].n == 1


def test_a_crawl_of_pages_that_need_javascript_has_no_harvest_rate():
    recorder = Recorder(
        committee=Yes(),
        truth=GroundTruth(),
        labels=lambda url: None,
        inlinks=lambda url: None,
        sample_every=10,
    )
    for seq in range(1, 13):
        recorder.page(pending(seq, script=True))
    recorder.close()
    assert recorder.metrics["harvest_rate"] is None
    assert recorder.metrics["estimated_recall"] is None
