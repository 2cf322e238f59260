"""The strategies that rank links themselves, in the order in which the screens list them."""

from __future__ import annotations

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
from apps.engine.intelligence.strategies.host_thompson import HostThompson
from apps.engine.intelligence.strategies.in_links import InLinks
from apps.engine.intelligence.strategies.learner import Learner
from apps.engine.intelligence.strategies.link_context import LinkContext
from apps.engine.intelligence.strategies.pagerank import Pagerank
from apps.engine.intelligence.strategies.plsi_phits import PlsiPhits
from apps.engine.intelligence.strategies.selective_link_context import SelectiveLinkContext
from apps.engine.intelligence.strategies.shark_search import SharkSearch
from apps.engine.intelligence.strategies.ss1 import Ss1
from apps.engine.intelligence.strategies.ss2 import Ss2
from apps.engine.intelligence.strategies.status_learner import StatusLearner
from apps.engine.intelligence.strategies.tag_tree_combo import TagTreeCombo
from apps.engine.intelligence.strategies.taxonomy_baseline import TaxonomyBaseline
from apps.engine.intelligence.strategies.text_window import TextWindow
from apps.engine.intelligence.strategies.text_window_backlink import TextWindowBacklink
from apps.engine.intelligence.strategies.text_window_combo import TextWindowCombo
from apps.engine.intelligence.strategies.utility import Utility

GUIDES: tuple[type[Strategy], ...] = (
    Learner,
    StatusLearner,
    BreadthFirst,
    BestFirst,
    FullPage,
    TextWindow,
    TextWindowCombo,
    TagTreeCombo,
    TextWindowBacklink,
    TaxonomyBaseline,
    Apprentice,
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
    HostThompson,
)
