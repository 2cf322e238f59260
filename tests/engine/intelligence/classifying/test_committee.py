from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.classifying.committee import Committee
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows


class ConstantMember:
    """A member that gives every page the same probability."""

    def __init__(self, chance: float) -> None:
        self.chance = chance
        self.weighting_ = SimpleNamespace(views=lambda rows: (rows,))

    def margins_of(self, texts):
        return np.zeros(len(texts))

    def sigmoid_(self, margins):
        return np.full(len(margins), self.chance)


PAGES = TokenRows.of([np.array([1], np.int32)] * 3)


def test_the_majority_decides_and_the_probability_is_the_mean():
    verdict = Committee([ConstantMember(0.5), ConstantMember(0.9), ConstantMember(0.1)]).judge(
        PAGES
    )[2]
    assert (verdict.votes, verdict.of, verdict.relevant) == (2, 3, True)
    assert verdict.probability == pytest.approx(0.5)
    assert (
        not Committee([ConstantMember(0.49), ConstantMember(0.99), ConstantMember(0.1)])
        .judge(PAGES)[0]
        .relevant
    )


def test_a_batch_is_judged_as_its_pages_are_one_by_one(make_topic):
    topic = TopicModel(make_topic())
    committee = topic.committee()
    rows = topic.rows()
    singly = [committee.judge(TokenRows.of([rows.row(i)]))[0] for i in range(len(rows))]
    assert committee.judge(rows) == singly  # to the last bit: batches end when time is up
    for size in (2, 3, 7):
        parts = [range(len(rows))[i : i + size] for i in range(0, len(rows), size)]
        assert [
            verdict
            for part in parts
            for verdict in committee.judge(TokenRows.of([rows.row(i) for i in part]))
        ] == singly


def test_it_votes_as_its_members_would(make_topic):
    topic = TopicModel(make_topic())
    committee, rows = topic.committee(), topic.rows()
    assert [member.kind for member in committee.members] == ["svm", "nb", "nn"]
    chances = np.array([member.probabilities(rows) for member in committee.members])
    verdicts = committee.judge(rows)
    assert [verdict.votes for verdict in verdicts] == (chances >= 0.5).sum(axis=0).tolist()
    assert [verdict.relevant for verdict in verdicts] == topic.labels().tolist()


def test_sl_has_a_single_judge(make_topic):
    topic = TopicModel(make_topic())
    committee = Committee.train(topic.rows(), topic.labels(), judge="sl")
    assert [member.kind for member in committee.members] == ["svm"]
    assert committee.judged_by == "held_out_svm"
    assert committee.judge(topic.rows(True))[0].of == 1


def test_no_pages_get_no_verdicts():
    assert Committee([ConstantMember(0.5)]).judge(TokenRows.of([])) == []


def test_it_cannot_be_trained_on_one_class(make_topic):
    topic = TopicModel(make_topic())
    with pytest.raises(NeedsMissing):
        Committee.train(topic.rows(True), np.ones(8, np.int32))
