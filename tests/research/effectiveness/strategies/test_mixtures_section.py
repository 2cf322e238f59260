"""The section on mixtures: known answers."""

from __future__ import annotations

from apps.engine.intelligence.strategies.experts import MEMBERS as DEFAULTS
from apps.research.effectiveness.document import write_document
from apps.research.effectiveness.strategies.mixtures_section import MEMBERS
from apps.research.effectiveness.strategies.result import WebResult
from tests.research.effectiveness.made_results import PLAN, around, result
from tests.research.effectiveness.test_document import row


def mixed(web: str, experts: float, hosts: float) -> WebResult:
    """The learner finds .45 with a spread of .03, Full Page .4 with one of .02."""
    made = result(web, 0.45, 0.4)
    made = made.with_crawler(
        "Text window combo, β 0.25, parents max", "strategy", "text_window_combo", around(0.42)
    )
    made = made.with_crawler("Experts", "strategy", "experts", around(experts, 0.04))
    return made.with_crawler("Host Thompson", "strategy", "host_thompson", around(hosts, 0.01))


def test_a_mixture_stands_against_its_best_member_by_web() -> None:
    webs = [mixed("dune", 0.45, 0.5), mixed("heath", 0.36, 0.39), result("marsh", 0.5, 0.45)]
    text = write_document(PLAN, webs)
    # .04·(−3.5/3.5) − .03·(−3.5/3.5) is −.01 on the first topic of dune.
    assert row(text, "Experts | dune") == [
        "Experts",
        "dune",
        "0.450",
        "0.450 (Learner)",
        "1.00",
        "−0.010",
        "4, 4",
        "1.000",
    ]
    assert row(text, "Experts | heath")[2:6] == ["0.360", "0.450 (Learner)", "0.80", "−0.100"]
    # The host bandit has no learner in it.
    assert row(text, "Host Thompson | dune")[3] == "0.400 (Full page, parents max)"
    assert row(text, "Host Thompson | dune")[5] == "0.000"
    assert (
        "**Experts** finds at least 0.80 × what its best member finds (heath), shown to be"
        " worse on heath, over 2 webs."
    ) in text
    assert "marsh" not in text.partition("## Mixtures")[2].partition("## ")[0]


def test_without_a_mixture_there_is_no_section() -> None:
    webs = [result(web, 0.5, 0.4) for web in ("dune", "heath", "marsh")]
    assert "## Mixtures" not in write_document(PLAN, webs)


def test_the_members_of_experts_are_its_defaults() -> None:
    assert len(MEMBERS["Experts"]) == len(DEFAULTS.split())
