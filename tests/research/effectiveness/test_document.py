"""docs/effectiveness.md is what the saved results say."""

from __future__ import annotations

import numpy as np

from apps.engine.intelligence.strategies.weighted_evidence import SHIPPED
from apps.research.effectiveness.document import write_document
from apps.research.effectiveness.labels.result import LabelResult
from apps.research.effectiveness.main_text.result import TextResult
from apps.research.effectiveness.recall.result import RecallResult
from apps.research.effectiveness.schema import OWN, read_plan
from apps.research.effectiveness.starts.result import StartResult
from apps.research.effectiveness.status.result import StatusResult
from apps.research.effectiveness.strategies.cross_validation import choose
from apps.research.effectiveness.strategies.result import WebResult
from tests.research.effectiveness.made_results import PLAN, around, result
from tests.running_site import ROOT


def row(text: str, start: str, table: int = 0) -> list[str]:
    lines = [line for line in text.splitlines() if line.startswith(f"| {start} |")]
    return [cell.strip() for cell in lines[table].strip("|").split(" | ")]


def test_the_document_in_the_project_is_written_of_its_results():
    plan, results = read_plan(OWN), WebResult.read_all(ROOT / "docs" / "effectiveness")
    labels = LabelResult.read_all(ROOT / "docs" / "effectiveness")
    statuses = StatusResult.read_all(ROOT / "docs" / "effectiveness")
    text = (ROOT / "docs" / "effectiveness.md").read_text("utf-8")
    recalls = RecallResult.read_all(ROOT / "docs" / "effectiveness")
    starts = StartResult.read_all(ROOT / "docs" / "effectiveness")
    texts = TextResult.read_all(ROOT / "docs" / "effectiveness")
    assert text == write_document(plan, results, labels, statuses, recalls, starts, texts)


def test_the_learner_starts_with_weights_that_no_candidate_beats_by_half_a_hundredth():
    plan, results = read_plan(OWN), WebResult.read_all(ROOT / "docs" / "effectiveness")
    means = np.mean(list(choose(plan, results).shares.values()), axis=0)
    (own,) = (
        position
        for position, each in enumerate(plan.candidates)
        if each.all_weights() == dict(SHIPPED)
    )
    assert means[own] > means.max() - 0.005


def test_the_weights_that_the_learner_starts_with_are_named_where_others_are_best():
    plan, results = read_plan(OWN), WebResult.read_all(ROOT / "docs" / "effectiveness")
    assert "Over all webs *siblings first* is best." in write_document(plan, results)
    for each in results:
        own, other = each.crawlers["siblings first"], each.crawlers["pages first"]
        better = tuple(1.01 * part for part in own.recall)
        each.crawlers["pages first"] = other.model_copy(update={"recall": better})
    text = write_document(plan, results)
    assert "*pages first* is best" in text
    assert "*siblings first*, 0.009 behind it, which was best when it was chosen." in text


def test_a_web_is_reported_with_held_out_weights_the_best_published_one_and_the_oracle():
    # Bold is better on the dune, but plain on the two others.
    webs = [
        result("dune", 0.45, 0.46),
        result("heath", 0.5, 0.4, text_window=around(0.46)),
        result("marsh", 0.5, 0.45),
    ]
    text = write_document(PLAN, webs)
    dune = row(text, "dune")
    assert dune[:6] == ["dune", "8", "0.300", "0.400", "0.440", "0.440 (Full page, parents mean)"]
    assert dune[6] == "**0.450**" and dune[7] == "0.600"
    assert dune[8] == "1.12 (oracle 1.50)" and dune[9] == "6 %"
    beyond = write_document(PLAN, [result("dune", 0.65, 0.66), *webs[1:]])
    assert row(beyond, "dune")[9] == "beyond it"
    assert "(text_window)" in row(text, "heath")[5]
    assert "more than the best published strategy on 3 of 3 webs" in text
    assert "1.2 times as much on 2 of 3 (heath, marsh)" in text


def test_significance_is_after_holm_alone():
    webs = [result("dune", 0.45, 0.4), result("heath", 0.5, 0.4), result("marsh", 0.5, 0.4)]
    text = write_document(PLAN, webs)
    assert row(text, "Full page, parents max")[2] == "0.400 (−0.100)"
    assert "dune 3 of 3" in text


def test_a_strategy_that_others_published_may_be_the_best():
    webs = [result(name, 0.5, 0.4, host_thompson=around(0.55)) for name in ("a", "b", "c")]
    text = write_document(PLAN, webs)
    assert row(text, "a")[5] == "0.550 (host_thompson)"
    assert row(text, "host_thompson")[1] == "0.550 (+0.050)"


def test_ablations_stand_against_the_learner_as_it_is():
    text = write_document(PLAN, [result(name, 0.5, 0.4) for name in ("a", "b", "c")])
    assert row(text, "without anchor")[1] == "0.400 (−0.100)"
