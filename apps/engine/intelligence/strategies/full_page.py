"""Full Page: scores links by their page."""

from __future__ import annotations

import numpy as np

from apps.engine.intelligence.strategies.classified import Classified, topicality
from apps.engine.model import Floats, Visit


class FullPage(Classified):
    """Gives every link of a page the probability that the page itself is on the topic.

    The baseline of LC and AFC: P(c|u) by a classifier trained on whole pages (LC §8, AFC §2.1).
    """

    formula = "P(c|u)"
    id = "full_page"
    title = "Full page"
    paper = "LC"
    section = "LC §8, AFC §2.1"
    advice = "The baseline to compare with."

    def score_links(self, visit: Visit) -> Floats:
        return np.full(len(visit.links), topicality(visit))
