"""The sections on labels: known answers."""

from __future__ import annotations

from apps.research.effectiveness.document import write_document
from apps.research.effectiveness.labels.result import ArmResult, LabelResult
from apps.research.effectiveness.labels.section import label_sections
from apps.research.effectiveness.labels.study import SETTINGS, arms_of
from tests.research.effectiveness.made_results import PLAN, TOPICS, result
from tests.research.effectiveness.test_document import row

WEBS = [result("dune", 0.45, 0.46), result("heath", 0.5, 0.4), result("marsh", 0.5, 0.45)]


def made(web: str, proposed: int) -> LabelResult:
    """Without labels 20 targets are found before and 20 after, breadth-first 25 in all; proposed
    labels find `proposed` more on each of eight topics, on half of them one more than that."""
    targets = LabelResult(web=web, command="", pages=500, topics=TOPICS)
    for name, setting in SETTINGS.items():
        for arm in arms_of(setting):
            more = {"proposed": proposed, "every page": 2 * proposed}.get(arm.name, 0)
            after = tuple(20 + (more + i % 2 if more else 0) for i in range(8))
            if arm.name == "breadth-first":
                after = (5,) * 8
            targets = targets.with_arm(
                name,
                setting,
                arm.name,
                ArmResult(targets=tuple(20 + n for n in after), after=after, positives=(3,) * 8),
            )
    return targets


def test_labels_stand_against_none_and_weak_topics_against_breadth_first_too() -> None:
    text = write_document(PLAN, WEBS, [made("dune", 4), made("heath", 2)])
    assert row(text, "no labels")[1:4] == ["20.00", "20.00", "1"]
    assert row(text, "proposed")[1:] == [
        "24.50 (× 1.23)",
        "22.50 (× 1.12)",
        "1.175",
        "16, 0",
        "< 0.001",
        "3.0",
    ]
    assert row(text, "no labels", 2)[1:] == ["1.60", "1.60", "1.60", "1.000"]
    assert row(text, "proposed", 2)[1:4] == ["1.78", "1.70", "1.74"]
    assert "Proposed labels change what is found by +17.5 %, significant" in text


def test_the_ceiling_is_what_the_truth_of_every_page_gives() -> None:
    text = write_document(PLAN, WEBS, [made("dune", 4), made("heath", 2)])
    assert row(text, "every page")[1:4] == ["28.50 (× 1.43)", "24.50 (× 1.23)", "1.325"]
    assert text.count("; the truth of every page by +32.5 %.") == 2


def test_without_a_difference_none_is_claimed() -> None:
    text = label_sections([made("dune", 0)])
    assert "by 0.0 %, not significant" in text


def test_it_states_how_often_each_topic_was_crawled() -> None:
    once, often = made("dune", 4), made("heath", 2).model_copy(update={"repeats": 3})
    assert "several times" not in label_sections([once])
    text = label_sections([once, often])
    assert "Each topic was crawled several times: heath 3." in text


def test_without_results_there_is_no_section() -> None:
    assert "## Labels" not in write_document(PLAN, WEBS)
