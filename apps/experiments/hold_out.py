"""Which hold-out an experiment used: what became of targets in the backgrounds of its crawlers.

A background with the targets' texts helps a crawler to reach them; one without them, by their
addresses, hinders it. Figures of different hold-outs are therefore no comparison.
"""

from __future__ import annotations

from collections.abc import Iterable

from apps.experiments.models import Experiment
from apps.topics.inputs.background import BACKGROUND
from apps.topics.inputs.counted_targets import COUNTED_TARGETS
from apps.topics.models import Topic

BY_ADDRESS, REGARDLESS = Topic.HoldOut.BY_ADDRESS.value, Topic.HoldOut.REGARDLESS.value
NO_BACKGROUND, NOT_RECORDED = "no background", "not recorded"
SENTENCES = {
    BY_ADDRESS: "Hold-out: targets are taken out of the backgrounds by address",
    REGARDLESS: "Hold-out: backgrounds are drawn without regard to labels, and targets that lie in "
    "them are not counted",
    NO_BACKGROUND: "No background is drawn or chosen, so nothing is held out of one",
    NOT_RECORDED: "Hold-out of the backgrounds not recorded",
}


def hold_outs_of(experiment: Experiment) -> list[str]:
    """A key of `SENTENCES` for each of an experiment's topics, empty while it is not frozen. Their
    frozen inputs may be megabytes and are not read."""
    background, counted = f"inputs__{BACKGROUND.id}", f"inputs__{COUNTED_TARGETS.id}"
    parts = (f"{background}__of", f"{background}__hold_out", f"{counted}__hold_out")
    return [_hold_out(*row) for row in experiment.topics.values_list("snapshot", *parts)]


def _hold_out(snapshot: int | None, of: str | None, by: str | None, counted: str | None) -> str:
    if snapshot is None:
        return ""
    if counted:
        return counted
    return NO_BACKGROUND if of in (None, "none") else by or NOT_RECORDED


def hold_out_words(hold_outs: Iterable[str]) -> str:
    """A sentence on those of the frozen topics, empty without any; where several were used, each
    with its topics' number."""
    used = [each for each in hold_outs if each]
    several = len({*used}) > 1
    return "; ".join(
        f"{SENTENCES[each]} ({used.count(each)} of {len(used)} topics)"
        if several
        else SENTENCES[each]
        for each in dict.fromkeys(used)
    )
