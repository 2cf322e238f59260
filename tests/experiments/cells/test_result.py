"""The result of a cell: what it holds of batches, and its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from apps.engine import checkpoint
from apps.engine.answers import Answer
from apps.engine.errors import BadCheckpoint
from apps.engine.events import Batch, PageRecord, SampleRecord, Totals
from apps.engine.model import Verdict
from apps.experiments.cells import result
from apps.experiments.cells.result import Collector

TOTALS = Totals(0, 0, 0, 0, 0, {}, {}, 0.0)
INLINKS = {"http://a.test/1": 7}


def page(number: int, verdict: Verdict | None = None) -> PageRecord:
    url = f"http://a.test/{number}"
    return PageRecord(
        seq=number,
        request=number,
        number=number,
        answer=Answer(url, url),
        host="a.test",
        title="",
        words=3,
        canonical="",
        needs_javascript=False,
        topicality=0.25,
        status=None,
        status_log=None,
        verdict=verdict,
        target=False,
        seed=number == 1,
        priority=0.5,
        parent=-1,
        depth=0,
        record=None,
        outlinks=np.empty(0, np.int32),
        telemetry={},
    )


def batch(*pages: PageRecord, samples: tuple[SampleRecord, ...] = ()) -> Batch:
    return Batch(pages, (), (), (), samples, (), (), (), None, TOTALS, {})


@pytest.fixture
def collected() -> Collector:
    collector = Collector(lambda url: url.endswith("1"), INLINKS.get)
    verdict = Verdict(votes=2, of=3, probability=0.75)
    collector.add(
        batch(
            page(1, verdict),
            page(2),
            samples=(SampleRecord(2, {"target_recall": None, "alpha": 0.5}),),
        )
    )
    return collector


def test_it_holds_what_is_known_of_each_page(collected: Collector) -> None:
    pages = collected.result().pages
    assert pages.urls == ("http://a.test/1", "http://a.test/2")
    assert pages.numbers["inlinks"].tolist() == [7, -1]
    assert pages.flags["label"].tolist() == [1, 0]
    assert pages.flags["relevant"].tolist() == [1, -1]
    assert pages.numbers["probability"][0] == 0.75 and np.isnan(pages.numbers["probability"][1])


def test_its_file_gives_it_back_with_what_the_strategy_noted(
    collected: Collector, tmp_path: Path
) -> None:
    cell = collected.result({"promise_after": np.array([2.0, 1.0])})
    result.write(tmp_path / "cell.npz", cell)
    again = result.read(tmp_path / "cell.npz")
    assert again.report["promise_after"].tolist() == [2.0, 1.0]
    assert again.values["alpha"].tolist() == [0.5] and np.isnan(again.values["target_recall"][0])
    assert again.digest() == cell.digest() != collected.result().digest()
    (tmp_path / "cell.npz").write_bytes(b"damaged")
    with pytest.raises(BadCheckpoint):
        result.read(tmp_path / "cell.npz")


def test_its_samples_can_be_read_alone(collected: Collector, tmp_path: Path) -> None:
    file, cell = tmp_path / "cell.npz", collected.result()
    result.write(file, cell)
    samples = result.read_samples(file)
    assert samples.at.tolist() == cell.at.tolist()
    assert samples.values.keys() == cell.values.keys()
    assert samples.values["alpha"].tolist() == [0.5]
    assert samples.on(np.array([1, 2, 9]), "alpha").tolist()[1:] == [0.5, 0.5]
    assert np.isnan([*samples.on(np.array([1]), "alpha"), *samples.on(np.array([2]), "beta")]).all()
    for state in ({"samples": {"version": 0}}, {"else": 1}, {"samples": 1}):
        checkpoint.write(file, state)
        for read in (result.read, result.read_samples):
            with pytest.raises(BadCheckpoint):
                read(file)


def test_a_cell_without_a_page_has_a_file_too(tmp_path: Path) -> None:
    result.write(tmp_path / "cell.npz", Collector(lambda url: None, INLINKS.get).result())
    again = result.read(tmp_path / "cell.npz")
    assert (again.pages.urls, again.at.tolist()) == ((), [])


def test_it_goes_on_from_what_an_earlier_run_had(collected: Collector) -> None:
    later = Collector(collected.label, collected.inlinks)
    later.go_on_from(collected.result())
    for each in (later, collected):
        each.add(batch(page(3)))
    assert later.result().digest() == collected.result().digest()
