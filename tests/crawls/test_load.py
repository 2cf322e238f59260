"""The pages of the last ten minutes, in steps, through pauses."""

from __future__ import annotations

from dataclasses import replace

from apps.crawls.load import STEPS, CrawlLoad


def test_pages_are_counted_by_steps_of_ten_seconds_through_a_pause() -> None:
    load = CrawlLoad()
    for now, pages in ((1000.0, 5), (1002.0, 7), (1011.0, 20), (1045.0, 3)):
        step, steps = load.with_pages(pages, now)
        load = replace(load, step=step, steps=steps)
    assert (load.step, load.steps[-5:]) == (104, [12, 20, 0, 0, 3])
    assert len(load.steps) == STEPS
    assert CrawlLoad.of({"step": 104, "steps": load.steps}).steps == load.steps
    # The step under way is left out.
    rates = load.rates(1046.0)
    assert len(rates) == STEPS - 1 and rates[-4:] == [1.2, 2.0, 0.0, 0.0]
    assert load.rates(1071.0)[-3:] == [0.3, 0.0, 0.0]
    assert not any(load.rates(9000.0))
