"""The evaluation classifiers, which judge every fetched page and never guide a crawl (LC §6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.classifying.classifiers import KINDS, TextClassifier
from apps.engine.intelligence.classifying.page_memory import PageMemory
from apps.engine.intelligence.classifying.trained import TrainedModels
from apps.engine.model import Floats, Ints, TokenRows, Verdict

Judge = Literal["separate", "lc", "sl"]
JudgedBy = Literal["committee", "lc_committee", "held_out_svm", "guiding_classifier", "none"]

NAMES: Mapping[str, JudgedBy] = {
    "separate": "committee",
    "lc": "lc_committee",
    "sl": "held_out_svm",
}


class Committee:
    """Classifiers that vote; a page is relevant by majority.

    A member votes in favour if its P(c|u) is at least 0.5. `judged_by` identifies the members:
    `committee` (naive Bayes, SVM and network), `lc_committee` (the same, but trained also on the
    crawler's examples), `held_out_svm` (SL §5.1's single judge) or `guiding_classifier` (the
    crawler's own, if there is no other). `of_pages` remembers verdicts.
    """

    def __init__(
        self, members: Sequence[TextClassifier], judged_by: JudgedBy = "committee"
    ) -> None:
        self.members = tuple(members)
        self.judged_by = judged_by
        self.of_pages: PageMemory[Verdict] = PageMemory()

    @classmethod
    def train(
        cls,
        rows: TokenRows,
        labels: Ints | NDArray[np.bool_],
        weights: Floats | None = None,
        judge: str = "separate",
        weighting: str = "smart",
        seed: int = 0,
        trained: TrainedModels | None = None,
    ) -> Self:
        """Trains a committee on full pages (LC §6, SL §5.1).

        The judges `separate` and `lc` are the same three classifiers with different examples:
        disjoint from the crawler's, or the whole relevant set. `sl` is one SVM. `trained` may hold
        cached models. Raises NeedsMissing with fewer than two examples of either class.
        """
        kinds = ("svm",) if judge == "sl" else KINDS
        models = trained or TrainedModels()
        members = [
            models.classifier(kind, weighting, seed, rows, labels, weights) for kind in kinds
        ]
        return cls(members, NAMES[judge])

    def judge(self, pages: TokenRows) -> list[Verdict]:
        """One verdict per page, the same bits in any batch; singly they cost ten times as much."""
        if not len(pages):
            return []
        chances = self._probabilities(pages)
        votes = (chances >= 0.5).sum(axis=0)
        means = np.clip(chances.mean(axis=0), 0.0, 1.0)
        of = len(self.members)
        return [
            Verdict(int(vote), of, float(mean)) for vote, mean in zip(votes, means, strict=True)
        ]

    def _probabilities(self, pages: TokenRows) -> Floats:
        """P(c|u), members × pages. The members share their examples, so texts are weighed once."""
        views = self.members[0].weighting_.views(pages)
        return np.array(
            [
                member.sigmoid_(np.mean([member.margins_of(view) for view in views], axis=0))
                for member in self.members
            ]
        )
