from __future__ import annotations

from typing import Any

import pytest

from apps.months.policies import POLICIES
from apps.months.schema import FULL, MonthDesign
from apps.schemas.refused import Refused


@pytest.mark.parametrize(
    ("sent", "field", "words"),
    [
        ({"pages": 39}, "pages", "Give a whole number from 40 to 5,000."),
        ({"days": 2}, "days", "from 3 to 90"),
        ({"new": 0}, "new", "Give a number from 0.5 to 50."),
        ({"requests": 4}, "requests", "from 5 to 1,000"),
        ({"seeds": []}, "seeds", "Give one to 5 different whole numbers"),
        ({"seeds": ["x"]}, "seeds", "Give one to 5 different whole numbers"),
        ({"seeds": [1, 2, 3, 4, 5, 6]}, "seeds", "Give one to 5 different whole numbers"),
        ({"policies": []}, "policies", "Give at least one of adaptive,"),
        ({"policies": ["hourly"]}, "policies", "Give at least one of adaptive,"),
        ({"seeds": [3, 3]}, "seeds", "Name each only once."),
        ({"policies": ["uniform", "uniform"]}, "policies", "Name each only once."),
        ({"pages": 60, "hosts": 7}, "hosts", "Give at most 6: a host for 10 pages."),
    ],
)
def test_nonsense_is_refused_at_its_field(sent: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(Refused) as refused:
        MonthDesign.read(sent).check()
    assert refused.value.field == field and words in refused.value.message


def test_each_seed_is_a_web_that_each_policy_watches() -> None:
    design = MonthDesign(pages=60, seeds=(3, 5), policies=("uniform", "adaptive"))
    runs = list(design.runs())
    assert [(seed, run.policy) for seed, run in runs] == [
        (3, "uniform"),
        (3, "adaptive"),
        (5, "uniform"),
        (5, "adaptive"),
    ]
    assert {(seed, run.script.seed, run.script.pages) for seed, run in runs} == {
        (3, 3, 60),
        (5, 5, 60),
    }


def test_the_full_month_is_one_that_may_be_begun() -> None:
    FULL.check()
    assert (FULL.pages, FULL.days, FULL.policies) == (1_200, 30, tuple(POLICIES))
