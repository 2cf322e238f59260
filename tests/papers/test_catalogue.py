"""The protocols in the project, and what is refused in one."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli_w

from apps.papers.catalogue import (
    crawlers_of,
    design_of,
    protocols,
    quantities,
    read_protocol,
)
from apps.papers.tables import TABLES
from apps.schemas.refused import Refused
from tests.papers.made_protocols import CRAWLERS, PAIR, plain

CLAIMS = {
    "afc-apprentice": (
        "loss-falls no-topic-worse trained-again training-time two-humps overlap baseline-harvest"
    ),
    "afc-figures": (
        "offsets-help accuracy-rises low-links-rejected high-links-lost"
        " plain-text-falls gain-falls loss-off-line recall-crawler loss-on-line"
        " classes co-citation recall-crawler-between saw-tooth less-promise"
        " links-abandoned"
    ),
    "hcla-cost": "slower",
    "hcla-parameters": "smaller-n k-of-50",
    "hcla-ss1": "precision-50",
    "hcla-table-3": (
        "precision-10 precision-50 precision-100 f1-50 f1-100 hcla-best"
        " hcla-raw-best breadth-first-good ss2-over-ss1 pagerank-unimpressive"
        " over-bl-and-brfs"
    ),
    "hcla-table-5": "precision-10 precision-50 precision-100 f1 high-recall without-anchors",
    "lc-back-links": "harvest recall",
    "lc-classifiers": (
        "nb-below-svm nb-below-network network-like-svm network-slow-to-train accuracy"
    ),
    "lc-contexts": (
        "windows-alone smallest-window combo-harvest combo-recall"
        " widest-combo-for-a-while combo-over-window combo-over-smallest-window"
        " tag-tree-harvest tag-tree-recall tag-tree-on-hard-topics context-quality"
        " long-crawls domains window-on-easy-topics"
    ),
    "lc-five-seeds": "order-stays",
    "sl-adaptive": (
        "topicality-rises status-falls status-over-constant topicality-kept"
        " most-topical alpha-at-its-bound over-topical over-in-links"
        " topical-as-in-links diversity reliability topical-crawler-more-topical"
        " eight-as-topical alpha-rises-first alpha-falls-first alpha-comes-back"
    ),
    "sl-locality": ("at-one-link falls-with-distance random-pairs across-sites falls-across-sites"),
    "sl-sigmoid": "status-over-constant topicality-kept",
    "sl-utility": (
        "topicality-rises status-falls status-alone half-over-topical"
        " largely-topical linear-too cobb-douglas linear-at-a-quarter judges map"
    ),
    "slc-crawlers": (
        "selective-harvest selective-recall selective-last context-over-anchor"
        " breadth-first-worst use-of-anchors"
    ),
}


def test_every_paper_has_protocols_and_every_table_is_used_once():
    catalogue = protocols()
    assert {each.paper for each in catalogue.values()} == {"LC", "AFC", "SLC", "HCLA", "SL"}
    assert sorted(each.table for each in catalogue.values() if each.table) == sorted(TABLES)
    assert all(each.claims for each in catalogue.values())


def test_no_claim_of_a_protocol_is_dropped():
    claims = {id: [claim.id for claim in each.claims] for id, each in protocols().items()}
    assert claims == {id: ids.split() for id, ids in CLAIMS.items()}


@pytest.mark.parametrize("id", protocols())
def test_a_claim_of_the_papers_can_be_decided(id):
    # A claim without a way to decide it would have been refused; these are the ways there are.
    protocol = protocols()[id]
    for claim in protocol.claims:
        assert claim.cannot or set(claim.measures) <= set(quantities(protocol))
        assert claim.cannot or claim.direction or claim.figures
        assert "§" in claim.where or "Table" in claim.where or "appendix" in claim.where
    assert len(set(crawlers_of(protocol))) == len(crawlers_of(protocol))


def test_the_judge_is_never_the_guide():
    for protocol in protocols().values():
        plan = protocol.experiment
        if plan and plan.judge == "separate":
            # Topics of labels have no judge of their own: nothing is measured by one.
            measured = {name for claim in protocol.claims for name in claim.measures} | {
                plan.measure
            }
            assert not measured & {"harvest_rate", "loss_rate", "soft_harvest"}


def test_a_plan_becomes_a_design_with_the_crawlers_of_the_paper():
    plan = protocols()["lc-contexts"].experiment
    design = design_of(plan, "lc-contexts", "meadow", ["ants", "bees"])
    assert (design.judge, design.measure, design.topics) == ("lc", "harvest_rate", ("ants", "bees"))
    assert design.crawlers[1].parameters == {"window": 10}


def test_a_file_is_read(tmp_path: Path):
    path = tmp_path / "made.toml"
    path.write_text(tomli_w.dumps(plain(PAIR)))
    assert read_protocol(path).claims[0].pairs == (("Full Page", "Breadth-first"),)


TWICE = {**PAIR, "id": "first"}


@pytest.mark.parametrize(
    ("values", "field", "words"),
    [
        ({"experiment": None}, "", "either an experiment or the name of a table"),
        ({"table": "hcla-cost"}, "", "either an experiment or the name of a table"),
        ({"experiment": None, "table": "hcla-table-9"}, "table", "one of hcla-table-3"),
        ({"paper": "XY"}, "paper", "one of LC, AFC"),
        ({"shows": ["beauty"]}, "shows", "no quantity beauty"),
        ({"sneaks": 1}, "sneaks", "There is no sneaks"),
        (
            {"experiment": {**plain()["experiment"], "judge": "guide"}},
            "experiment.judge",
            "one of separate, lc, sl",
        ),
        ({"experiment": {**plain()["experiment"], "pages": 3}}, "experiment.pages", "from 10"),
        (
            {"experiment": {**plain()["experiment"], "crawlers": [*CRAWLERS, CRAWLERS[0]]}},
            "experiment.crawlers",
            "Two crawlers have one name",
        ),
        (
            {
                "experiment": {
                    **plain()["experiment"],
                    "crawlers": [{"name": "X", "strategy": "by_magic"}],
                }
            },
            "crawlers",
            "by_magic",
        ),
        (
            {
                "experiment": {
                    **plain()["experiment"],
                    "crawlers": [
                        {"name": "X", "strategy": "text_window", "parameters": {"window": [10, 20]}}
                    ],
                }
            },
            "experiment.crawlers",
            "each variant as a crawler",
        ),
        (
            {"experiment": {**plain()["experiment"], "explores_theta": True}},
            "experiment.explores_theta",
            "full_page has no θ",
        ),
    ],
)
def test_a_wrong_protocol_is_refused_at_its_field(tmp_path: Path, values, field, words):
    _refuses(tmp_path, plain(PAIR, **values), field, words)


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({**PAIR, "pairs": []}, "one of pairs, order, figures and cannot"),
        ({**PAIR, "figures": {"Full Page": 0.5}}, "one of pairs, order, figures and cannot"),
        ({**PAIR, "pairs": [["Full Page", "Depth-first"]]}, "no crawler Depth-first"),
        ({**PAIR, "measures": ["beauty"]}, "no quantity beauty"),
        ({**PAIR, "measures": []}, "Give the measures"),
        ({**PAIR, "direction": "equal"}, "Give within"),
        ({**PAIR, "within": 0.1}, "within is for figures"),
        (
            {
                **PAIR,
                "pairs": [],
                "order": ["Full Page", "Best-first"],
                "direction": "equal",
                "within": 0.1,
            },
            "A trend has two crawlers or more",
        ),
        (
            {
                **PAIR,
                "pairs": [],
                "figures": {"Full Page": 0.5},
                "direction": "equal",
                "within": 0.1,
            },
            "A published figure is met, or exceeded",
        ),
        (
            {**PAIR, "pairs": [], "figures": {"Full Page": 0.5}, "within": 0.1},
            "within is for figures",
        ),
        ({**PAIR, "during": [0.35, 0.2]}, "two shares of the crawl"),
        ({**PAIR, "during": [0.5, 1.5]}, "two shares of the crawl"),
        ({**PAIR, "pairs": [], "direction": None, "figures": {"Full Page": 0.5}}, "Give within"),
    ],
)
def test_a_claim_that_could_not_be_decided_is_refused(tmp_path: Path, claim, words):
    _refuses(tmp_path, plain(claim), "claims.first", words)


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({**PAIR, "direction": "sideways"}, "Entry 1: Give one of higher, lower, equal"),
        ({**PAIR, "pairs": [["Full Page"]]}, "two crawlers"),
        ({**PAIR, "id": "No good"}, "words joined by hyphens"),
    ],
)
def test_a_claim_of_wrong_form_is_refused(tmp_path: Path, claim, words):
    _refuses(tmp_path, plain(claim), "claims", words)


def test_two_claims_of_one_id_are_refused(tmp_path: Path):
    _refuses(tmp_path, plain(PAIR, TWICE), "claims", "first is there twice")


def test_what_is_not_toml_is_refused_with_its_file(tmp_path: Path):
    path = tmp_path / "bad.toml"
    path.write_text("title = ")
    with pytest.raises(Refused, match="is not TOML"):
        read_protocol(path)


def _refuses(folder: Path, values: dict, field: str, words: str) -> None:
    path = folder / "wrong.toml"
    path.write_text(tomli_w.dumps(_without_none(values)))
    with pytest.raises(Refused) as refused:
        read_protocol(path)
    assert refused.value.field.startswith(f"wrong.toml: {field}")
    assert words in refused.value.message


def _without_none(value: object) -> object:
    if isinstance(value, dict):
        return {name: _without_none(each) for name, each in value.items() if each is not None}
    return [_without_none(each) for each in value] if isinstance(value, list) else value
