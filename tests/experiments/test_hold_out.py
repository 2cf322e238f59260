"""An experiment says which hold-out it used, on its page and in its rows."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.experiments.hold_out import NOT_RECORDED, hold_out, hold_out_words, hold_outs_of
from apps.experiments.models import ExperimentTopic
from apps.experiments.results.outcomes import outcomes
from apps.experiments.results.tables import CELL_COLUMNS, rows_of_cells
from tests.experiments.run_experiment import ended
from tests.people import site_of

pytestmark = pytest.mark.django_db
LEARNER, BREADTH_FIRST = [{"strategy": "learner"}], [{"strategy": "breadth_first"}]


def frozen(**background) -> ExperimentTopic:
    return ExperimentTopic(snapshot_id=1, inputs={"background": background} if background else {})


def test_an_experiment_that_ran_has_its_hold_out_in_each_row_and_on_its_page(owner, topics):
    experiment = ended(owner, crawlers=LEARNER)
    rows = list(rows_of_cells(outcomes(experiment)))
    assert "hold_out" in CELL_COLUMNS and {row["hold_out"] for row in rows} == {"addresses"}
    page = site_of(owner).get(reverse("experiment:experiment", args=[experiment.pk]))
    assert "taken out of the backgrounds by address" in page.content.decode()


def test_without_a_background_nothing_is_held_out(owner, topics):
    experiment = ended(owner, crawlers=BREADTH_FIRST)
    assert {hold_out(topic) for topic in experiment.topics.all()} == {"no background"}
    assert {*hold_outs_of(experiment)} == {"no background"}


def test_it_is_read_of_an_experiment_without_its_frozen_inputs(owner, topics):
    experiment = ended(owner, crawlers=LEARNER)
    of_each = [hold_out(topic) for topic in experiment.topics.all()]
    with CaptureQueriesContext(connection) as queries:
        assert hold_outs_of(experiment) == of_each
    (query,) = queries.captured_queries
    before = re.findall(r'(.)"\w+"\."inputs"', query["sql"])
    assert {*before} == {"("}, "only parts of it are taken"


def test_what_was_frozen_before_it_was_recorded_says_so():
    assert hold_out(frozen(of="web", rows=3)) == NOT_RECORDED
    assert hold_out(frozen(of="none", rows=0)) == "no background"
    assert hold_out(ExperimentTopic(inputs={})) == ""


def test_of_several_hold_outs_each_has_its_topics():
    old, new = frozen(of="web", rows=3), frozen(of="web", rows=3, hold_out="addresses")
    assert hold_out_words([]) == ""
    assert hold_out_words(map(hold_out, [new, new])).endswith("by address")
    assert hold_out_words(map(hold_out, [old, new, new])) == (
        "Hold-out of the backgrounds not recorded (1 of 3 topics); "
        "Hold-out: targets are taken out of the backgrounds by address (2 of 3 topics)"
    )
