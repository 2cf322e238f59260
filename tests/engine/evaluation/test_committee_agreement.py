from __future__ import annotations

from apps.engine.evaluation.committee_agreement import CommitteeAgreement
from tests.engine.evaluation.judged import after_pages, judged


def test_votes_for_and_against_are_unanimous_and_split_ones_are_not():
    pages = [judged(votes=3), judged(votes=0), judged(votes=2), judged(votes=1)]
    assert after_pages(CommitteeAgreement(), *pages).value() == 0.5


def test_a_single_judge_cannot_agree_with_itself():
    measure = after_pages(CommitteeAgreement(), judged(votes=1, of=1), judged())
    assert measure.value() is None
