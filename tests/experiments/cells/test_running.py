"""The run of a cell in its process."""

from __future__ import annotations

import pytest

from apps.engine.events import Batch
from apps.engine.parsing.main_text import with_main_text
from apps.experiments.models import Cell
from tests.experiments.run_experiment import started, work_through

pytestmark = pytest.mark.django_db


def test_no_batch_is_written_as_text(owner, topics, monkeypatch):
    # Which would take many times as long as the crawl: see `event_loop`.
    written = []
    monkeypatch.setattr(Batch, "__repr__", lambda batch: written.append(batch) or "")
    experiment = work_through(started(owner))
    assert {cell.job_state for cell in experiment.cells.all()} == {Cell.State.DONE}
    assert not written


def test_cells_that_judge_by_main_text_read_the_bodies_of_pages(owner, topics, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "apps.engine.crawl.page_reader.with_main_text",
        lambda document, answer: asked.append(answer) or with_main_text(document, answer),
    )
    experiment = work_through(started(owner, scope={"main_text": True}))
    assert {cell.job_state for cell in experiment.cells.all()} == {Cell.State.DONE}
    assert asked and all(answer.body for answer in asked)
