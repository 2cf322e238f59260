from __future__ import annotations

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.n_and_k import NAndK, varied
from tests.experiments.made_outcomes import made

CRAWLERS = (
    "full_page",
    ("hcla", {"k": 30}),
    ("hcla", {"k": 50}),
    ("hcla", {"k": 80}),
    ("hcla", {"k": 50, "reorders_every": 10}),
    ("hcla", {"k": 50, "columns": "raw"}),
)
VALUES = {
    (0, crawler): {"harvest_rate": [crawler / 10], "harvest_rate_true": [crawler / 20]}
    for crawler in range(len(CRAWLERS))
}
ASKED = asked_of(made(CRAWLERS, ("ants",), VALUES, every=1))


def test_crawlers_alike_in_everything_else_are_compared() -> None:
    assert varied(ASKED, "k") == (1, 2, 3)
    assert varied(ASKED, "reorders_every") == (2, 4)
    labels = [curve.label for curve in NAndK().figure(ASKED, "k").traces]
    assert sorted(labels) == ["HCLA, k 30", "HCLA, k 50", "HCLA, k 80"]


def test_labels_judge_where_there_are_any() -> None:
    assert max(curve.y[0] for curve in NAndK().figure(ASKED, "k").traces) == 3 / 20
    judged = {key: {"harvest_rate": measured["harvest_rate"]} for key, measured in VALUES.items()}
    without = NAndK().figure(asked_of(made(CRAWLERS, ("ants",), judged, every=1)), "k")
    assert max(curve.y[0] for curve in without.traces) == 3 / 10


def test_without_variants_it_names_which_are_wanted() -> None:
    single = asked_of(
        made(
            ("full_page", "hcla"),
            ("ants",),
            {(0, 0): {"harvest_rate": [0.5]}, (0, 1): {"harvest_rate": [0.5]}},
            every=1,
        )
    )
    assert varied(single, "k") == ()
    assert NAndK().figure(single).empty == ("Needs HCLA with N varied; this experiment has none")
