"""Which hold-out an experiment used: what kept targets out of the backgrounds of its crawlers.

A background in which the targets' texts lie helps a crawler to reach them, and one from which they
are taken by their addresses hinders it, so that figures of different hold-outs are no comparison.
"""

from __future__ import annotations

from collections.abc import Iterable

from apps.experiments.models import ExperimentTopic
from apps.topics.inputs.background import BACKGROUND, BY_ADDRESS

NO_BACKGROUND, NOT_RECORDED = "no background", "not recorded"
SENTENCES = {
    BY_ADDRESS: "Hold-out: targets are taken out of the backgrounds by address",
    NO_BACKGROUND: "No background is drawn or chosen, so nothing is held out of one",
    NOT_RECORDED: "Hold-out of the backgrounds not recorded",
}


def hold_out(topic: ExperimentTopic) -> str:
    """A key of `SENTENCES`; empty while the topic is not frozen."""
    if topic.snapshot_id is None:
        return ""
    background = topic.inputs.get(BACKGROUND.id, {})
    if background.get("of", "none") == "none":
        return NO_BACKGROUND
    return str(background.get("hold_out", NOT_RECORDED))


def hold_out_words(topics: Iterable[ExperimentTopic]) -> str:
    """A sentence on the frozen topics, empty without any; where several were used, each with its
    topics' number."""
    used = [each for each in map(hold_out, topics) if each]
    several = len({*used}) > 1
    return "; ".join(
        f"{SENTENCES[each]} ({used.count(each)} of {len(used)} topics)"
        if several
        else SENTENCES[each]
        for each in dict.fromkeys(used)
    )
