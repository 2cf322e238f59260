"""Results of a study as if they had been run."""

from __future__ import annotations

from collections.abc import Sequence

from apps.research.effectiveness.schema import StudyPlan
from apps.research.effectiveness.strategies.result import WebResult

TOPICS = tuple(f"topic {number}" for number in range(8))
PLAN = StudyPlan.read(
    {
        "candidates": [{"name": "plain"}, {"name": "bold", "weights": {"siblings": 2.0}}],
        "ablations": [{"name": "without anchor", "weights": {"anchor": 0.0}}],
    }
)


def around(mean: float, spread: float = 0.02) -> Sequence[float]:
    """Eight values with this mean."""
    return [mean + spread * (position - 3.5) / 3.5 for position in range(8)]


def result(web: str, plain: float, bold: float, **others: Sequence[float]) -> WebResult:
    """A web with the two candidates' mean recall; Full Page finds .4, the oracle .6."""
    made = WebResult(
        web=web,
        command=f"manage.py effectiveness --web {web}",
        pages=500,
        topics=TOPICS,
        targets=(30,) * 8,
    )
    made = made.with_crawler("Oracle", "bound", "", around(0.6))
    made = made.with_crawler("plain", "candidate", "learner", around(plain, 0.03))
    made = made.with_crawler("bold", "candidate", "learner", around(bold, 0.03))
    made = made.with_crawler("Breadth-first", "strategy", "breadth_first", around(0.3, -0.02))
    made = made.with_crawler("Full page, parents max", "strategy", "full_page", around(0.4))
    made = made.with_crawler("Full page, parents mean", "strategy", "full_page", around(0.44))
    for name, values in others.items():
        made = made.with_crawler(name, "strategy", name, values)
    return made.with_crawler("without anchor", "ablation", "learner", around(plain - 0.1, 0.02))
