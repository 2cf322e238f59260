"""The section on main text: known answers."""

from __future__ import annotations

from pathlib import Path

from apps.research.effectiveness.document import write_document
from apps.research.effectiveness.main_text.result import BothTexts, TextResult
from tests.research.effectiveness.made_results import PLAN, TOPICS, around, result
from tests.research.effectiveness.test_document import row

WEBS = [result("dune", 0.45, 0.46), result("heath", 0.5, 0.4), result("marsh", 0.5, 0.45)]


def made(gain: float) -> TextResult:
    empty = TextResult(web="dune", command="x", pages=300, topics=TOPICS)
    both = BothTexts(whole=around(0.6), main=around(0.6 + gain, 0.06))
    return empty.with_figure("F1 of the classifier", both)


def test_a_difference_stands_with_its_topics_and_p() -> None:
    text = write_document(PLAN, WEBS, texts=[made(0.1)])
    assert "| dune: 8 topics | F1 of the classifier |" in text
    cells = row(text, "dune: 8 topics | F1 of the classifier")
    assert cells[-5:] == ["0.600", "0.700", "+0.100", "8, 0", "< 0.001"]
    assert "Of the 1 differences 1 is shown (p < 0.05): 1 in favour" in text
    assert "no reason to switch it on" not in text
    assert "0 in favour of the main text, 1 against it." in write_document(
        PLAN, WEBS, texts=[made(-0.1)]
    )


def test_without_a_difference_the_section_states_that_there_is_no_reason_for_it() -> None:
    text = write_document(PLAN, WEBS, texts=[made(0.0)])
    assert "Of the 1 differences none is shown" in text and "no reason to switch it on" in text
    assert "Judging pages by their main text" not in write_document(PLAN, WEBS)


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    made(0.123456).save(tmp_path)
    (again,) = TextResult.read_all(tmp_path)
    assert again == made(0.123456) and again.figures["F1 of the classifier"].whole[0] == 0.58
