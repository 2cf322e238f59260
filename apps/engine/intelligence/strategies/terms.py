"""Descriptions of the terms in the strategies' explanations, for people who do not know the
formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class ScoreTerm:
    """One term of a score: the `title` of its row, and what it is (`says`), to stand in a sentence.

    `drawn`: its value is a share, to be drawn as a bar; else it is a setting or a count.
    """

    title: str
    says: str
    drawn: bool = True


def _setting(title: str, says: str) -> ScoreTerm:
    return ScoreTerm(title, says, drawn=False)


TERMS: Mapping[str, ScoreTerm] = MappingProxyType(
    {
        "P(c|u)": ScoreTerm("P(c|u)", "the chance that the page with the link is on the topic"),
        "P(c*|u)": ScoreTerm(
            "P(c*|u)", "the chance that the page with the link is of the topic's class"
        ),
        "P(c|window)": ScoreTerm("P(c|window)", "that of the words around the link"),
        "P(c|anchor)": ScoreTerm("P(c|anchor)", "that of the link's own words"),
        "P(c|block)": ScoreTerm("P(c|block)", "that of the block around the link"),
        "P(c|tag tree)": ScoreTerm(
            "P(c|tag tree)", "that of the words near the link in the tag tree"
        ),
        "P(high)": ScoreTerm("P(high)", "the apprentice's chance that the link leads to the topic"),
        "share of its leaf": ScoreTerm(
            "leaf", "the share of links with such words that led to the topic"
        ),
        "cos(u, q)": ScoreTerm("cos(u, q)", "how like the keywords the page with the link is"),
        "sim(q, u)": ScoreTerm("sim(q, u)", "how like the keywords the page with the link is"),
        "keywords on the page": ScoreTerm(
            "keywords", "the share of the keywords on the page with the link"
        ),
        "inherited": ScoreTerm("inherited", "what the page with the link got from its own parent"),
        "anchor": ScoreTerm("anchor", "how like the keywords the link's own words are"),
        "context": ScoreTerm("context", "how like the keywords the words around the link are"),
        "τ": ScoreTerm("τ", "the topicality of the page with the link"),
        "σ": ScoreTerm("σ", "the status of the page with the link"),
        "q": ScoreTerm("q", "the chance drawn for its host and folder"),
        "q of a new host": ScoreTerm("q of a new host", "that of a host not seen yet"),
        "α": _setting("α", "the weight of topicality against status"),
        "β": _setting("β", "the weight of the first against the second"),
        "γ": _setting("γ", "the share that is inherited"),
        "θ": _setting("θ", "the score from which the link's own words decide alone"),
        "d": _setting("d", "the share that is passed on along links"),
        "x": _setting("x", "the log-odds of the apprentice"),
        "needed": _setting("needed", "the share of the keywords that makes a page relevant"),
        "depth left": _setting("depth left", "how many links further the search may go"),
    }
)
