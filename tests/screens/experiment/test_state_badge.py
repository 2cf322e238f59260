"""The badge of an experiment whose topics are being frozen."""

from __future__ import annotations

import pytest

from apps.experiments.models import Experiment, Preparation
from apps.experiments.progress import progress
from apps.screens.experiment.state_badge import state_badge
from tests.experiment_rows import made_experiment
from tests.people import person

pytestmark = pytest.mark.django_db


def reason(experiment: Experiment) -> str:
    return state_badge(experiment, progress(experiment)).reason


def test_it_counts_the_topics_that_are_being_prepared(data_dir):
    experiment = made_experiment(person("ada"), state=Experiment.State.PREPARING)
    assert reason(experiment).startswith("starts by itself once the examples")
    job = Preparation.objects.create(experiment=experiment, topics=6, job_state="waiting")
    assert reason(experiment) == "6 topics to prepare; waiting for a worker"
    job.job_state, job.prepared = "working", 2
    job.save()
    assert reason(experiment) == "preparing 3 of 6 topics"
    job.job_state = "done"
    job.save()
    assert reason(experiment).startswith("starts by itself")
