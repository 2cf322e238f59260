"""An experiment says which hold-out it used, on its page and in its rows."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.experiments.hold_out import (
    BY_ADDRESS,
    NOT_RECORDED,
    REGARDLESS,
    hold_out_words,
    hold_outs_of,
)
from apps.experiments.models import Experiment
from apps.experiments.results.outcomes import outcomes
from apps.experiments.results.tables import CELL_COLUMNS, rows_of_cells
from tests.experiments.run_experiment import ended, started
from tests.people import site_of

pytestmark = pytest.mark.django_db
LEARNER, BREADTH_FIRST = [{"strategy": "learner"}], [{"strategy": "breadth_first"}]


def test_an_experiment_that_ran_has_its_hold_out_in_each_row_and_on_its_page(owner, topics):
    experiment = ended(owner, crawlers=LEARNER)
    rows = list(rows_of_cells(outcomes(experiment)))
    assert "hold_out" in CELL_COLUMNS and {row["hold_out"] for row in rows} == {"addresses"}
    page = site_of(owner).get(reverse("experiment:experiment", args=[experiment.pk]))
    assert "taken out of the backgrounds by address" in page.content.decode()


def test_without_a_background_nothing_is_held_out(owner, topics):
    experiment = ended(owner, crawlers=BREADTH_FIRST)
    assert {*hold_outs_of(experiment)} == {"no background"}


def test_it_is_read_of_an_experiment_without_its_frozen_inputs(owner, topics):
    experiment = ended(owner, crawlers=LEARNER)
    with CaptureQueriesContext(connection) as queries:
        assert {*hold_outs_of(experiment)} == {BY_ADDRESS}
    (query,) = queries.captured_queries
    before = re.findall(r'(.)"\w+"\."inputs"', query["sql"])
    assert {*before} == {"("}, "only parts of it are taken"
    with CaptureQueriesContext(connection) as queries:
        assert list(rows_of_cells(outcomes(experiment)))
    assert not any(re.search(r'[^(]"\w+"\."inputs"', each["sql"]) for each in queries)


def test_what_was_frozen_before_it_was_recorded_is_reported(owner, topics):
    experiment = ended(owner, crawlers=BREADTH_FIRST)
    for background, expected in (
        ({"of": "web", "rows": 3}, NOT_RECORDED),
        ({"of": "none", "rows": 0}, "no background"),
    ):
        experiment.topics.update(inputs={"background": background})
        assert {*hold_outs_of(experiment)} == {expected}
    experiment.topics.update(snapshot=None)
    assert {*hold_outs_of(experiment)} == {""}


def test_of_several_hold_outs_each_has_its_topics():
    assert hold_out_words([]) == ""
    assert hold_out_words([BY_ADDRESS, BY_ADDRESS]).endswith("by address")
    assert hold_out_words([NOT_RECORDED, BY_ADDRESS, "", BY_ADDRESS]) == (
        "Hold-out of the backgrounds not recorded (1 of 3 topics); "
        "Hold-out: targets are taken out of the backgrounds by address (2 of 3 topics)"
    )


def test_a_design_chooses_the_hold_out_for_all_its_topics_and_leaves_them_as_they_are(
    owner, topics, monkeypatch
):
    monkeypatch.setattr("apps.topics.inputs.background.SAMPLE", 100)
    experiment = ended(owner, crawlers=LEARNER, hold_out=REGARDLESS)
    assert {*hold_outs_of(experiment)} == {REGARDLESS}
    rows = experiment.topics.all()
    for row in rows:
        counted = row.inputs["counted_targets"]
        assert row.targets == counted["rows"] == row.topic.targets.count() - len(counted["inside"])
    assert {row.topic.hold_out for row in rows} == {BY_ADDRESS}
    page = site_of(owner).get(reverse("experiment:experiment", args=[experiment.pk]))
    assert "drawn without regard to labels" in page.content.decode()


def test_an_experiment_that_would_count_no_target_is_not_begun(owner, topics, monkeypatch):
    monkeypatch.setattr("apps.topics.inputs.background.SAMPLE", 10_000)
    experiment = started(owner, crawlers=LEARNER, hold_out=REGARDLESS)
    assert experiment.state == Experiment.State.DRAFT
    words = experiment.events.latest("pk").words
    assert words.startswith(f"Not started. {topics[0].name}: All 20 targets lie in the background")
    assert "Have targets taken out by their addresses" in words
