"""THE CATALOGUE: every strategy, in the order in which they are offered.

It imports neither scikit-learn nor scipy, for the web server reads it at each start.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from apps.engine.errors import UnknownStrategy
from apps.engine.intelligence.strategies.adaptive_utility import AdaptiveUtility
from apps.engine.intelligence.strategies.anchor_decision_tree import AnchorDecisionTree
from apps.engine.intelligence.strategies.anchor_text import AnchorText
from apps.engine.intelligence.strategies.apprentice import Apprentice
from apps.engine.intelligence.strategies.backlink_count import BacklinkCount
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.best_first import BestFirst
from apps.engine.intelligence.strategies.breadth_first import BreadthFirst
from apps.engine.intelligence.strategies.fish_search import FishSearch
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.strategies.hcla import Hcla
from apps.engine.intelligence.strategies.hits import Hits
from apps.engine.intelligence.strategies.in_links import InLinks
from apps.engine.intelligence.strategies.link_context import LinkContext
from apps.engine.intelligence.strategies.pagerank import Pagerank
from apps.engine.intelligence.strategies.plsi_phits import PlsiPhits
from apps.engine.intelligence.strategies.recall_crawler import RecallCrawler
from apps.engine.intelligence.strategies.selective_link_context import SelectiveLinkContext
from apps.engine.intelligence.strategies.shark_search import SharkSearch
from apps.engine.intelligence.strategies.ss1 import Ss1
from apps.engine.intelligence.strategies.ss2 import Ss2
from apps.engine.intelligence.strategies.tag_tree_combo import TagTreeCombo
from apps.engine.intelligence.strategies.taxonomy_baseline import TaxonomyBaseline
from apps.engine.intelligence.strategies.text_window import TextWindow
from apps.engine.intelligence.strategies.text_window_backlink import TextWindowBacklink
from apps.engine.intelligence.strategies.text_window_combo import TextWindowCombo
from apps.engine.intelligence.strategies.utility import Utility

CATALOGUE: tuple[type[Strategy], ...] = (
    BreadthFirst,
    BestFirst,
    FullPage,
    TextWindow,
    TextWindowCombo,
    TagTreeCombo,
    TextWindowBacklink,
    TaxonomyBaseline,
    Apprentice,
    RecallCrawler,
    AnchorText,
    AnchorDecisionTree,
    LinkContext,
    SelectiveLinkContext,
    FishSearch,
    SharkSearch,
    Ss1,
    Ss2,
    BacklinkCount,
    Pagerank,
    Hits,
    Hcla,
    PlsiPhits,
    Utility,
    AdaptiveUtility,
    InLinks,
)


def strategy(id: str) -> type[Strategy]:
    """The strategy of that id. Raises UnknownStrategy, which lists those there are."""
    for cls in CATALOGUE:
        if cls.id == id:
            return cls
    known = ", ".join(cls.id for cls in CATALOGUE)
    raise UnknownStrategy(f"no strategy {id}; there are: {known}", id=id)


def strategy_title(id: str) -> str:
    """The strategy's title; one that is no longer in the catalogue keeps its id."""
    return next((cls.title for cls in CATALOGUE if cls.id == id), id)


def describe() -> list[dict[str, Any]]:
    """The catalogue as plain values, one entry a strategy, ready for JSON."""
    return [_described(cls) for cls in CATALOGUE]


def _described(cls: type[Strategy]) -> dict[str, Any]:
    return {
        "id": cls.id,
        "title": cls.title,
        "paper": cls.paper,
        "section": cls.section,
        "summary": (cls.__doc__ or "").strip().split("\n", 1)[0],
        "advice": cls.advice,
        "needs": sorted(need.value for need in cls.needs),
        "scores": cls.scores,
        "parameters": [asdict(parameter) for parameter in cls.parameters()],
    }
