"""A study of a real experiment on the made web, from asking for it to its figures."""

from __future__ import annotations

import pytest

from apps.experiments.figures.accuracy_over_dmax import AccuracyOverDmax
from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.context_quality import ContextQuality
from apps.experiments.figures.status_by_distance import StatusByDistance
from apps.experiments.models import Cell, PageStudy
from apps.experiments.results.outcomes import outcomes
from apps.experiments.studies.services import (
    AFTERWARDS,
    UNDER_WAY,
    ensure_study,
    try_study_again,
)
from apps.jobs import queue
from tests.background import work_on
from tests.experiments.run_experiment import ended, started, work_through

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def experiment(owner, topics):
    return ended(owner)


def test_it_is_measured_in_the_background_once_the_last_cell_has_ended(owner, topics) -> None:
    experiment = started(owner)
    assert ensure_study(outcomes(experiment)).words == AFTERWARDS
    assert not PageStudy.objects.exists()
    results = outcomes(work_through(experiment))
    assert ensure_study(results).words == UNDER_WAY
    row = PageStudy.objects.get()
    assert ensure_study(results).words == UNDER_WAY and row.job_attempt == 1
    work_on(row)
    studied = ensure_study(results)
    assert studied.study is not None and not studied.words
    assert studied.study.crawler == "Full page" and studied.study.pages == 80
    asked = asked_of(results, studied=studied)
    for figure in (AccuracyOverDmax(), ContextQuality()):
        for view in figure.views(asked):
            assert figure.figure(asked, view.id).has_values, (figure.id, view)
    # The topics have no in-link counts.
    assert "in-link counts" in StatusByDistance().figure(asked).empty
    row.refresh_from_db()
    assert row.job_attempt == 1


def test_it_is_measured_anew_when_the_cells_are_others(experiment) -> None:
    results = outcomes(experiment)
    ensure_study(results)
    work_on(PageStudy.objects.get())
    Cell.objects.filter(crawler__strategy="full_page").update(digest="another")
    assert ensure_study(outcomes(experiment)).words == UNDER_WAY
    assert PageStudy.objects.get().job_attempt == 2


def test_one_that_failed_gives_the_reason_and_may_be_tried_again(experiment) -> None:
    results = outcomes(experiment)
    ensure_study(results)
    row = PageStudy.objects.get()
    queue.claim_here(row)
    queue.fail(row, "The pages cannot be read: gone.")
    assert ensure_study(results).words == "The pages cannot be read: gone"
    try_study_again(results)
    assert ensure_study(results).words == UNDER_WAY
    work_on(PageStudy.objects.get())
    assert ensure_study(results).study is not None


def test_one_that_is_cancelled_writes_nothing(experiment, monkeypatch) -> None:
    ensure_study(outcomes(experiment))
    row = PageStudy.objects.get()
    monkeypatch.setattr(queue, "heartbeat", lambda job, **progress: False)
    work_on(row)
    row.refresh_from_db()
    assert row.data == {}


def test_a_web_that_is_gone_is_reported_in_a_sentence(experiment, data_dir) -> None:
    results = outcomes(experiment)
    ensure_study(results)
    experiment.web.folder = "gone"
    experiment.web.save()
    work_on(PageStudy.objects.get())
    assert ensure_study(results).words.startswith("The pages cannot be read: ")
