"""The targets that are counted, where the background is drawn without regard to labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apps.engine import topics
from apps.figures.quantities import count, number_of
from apps.schemas.refused import Refused
from apps.topics.inputs import background
from apps.topics.inputs.crawl_input import CrawlInput, Frozen, Origin
from apps.topics.models import Topic


class NoCountedTargets(Refused):
    """All targets lie in the background, so that a crawl would count none of them."""


def freeze(topic: Topic) -> Frozen:
    """The targets that lie in the background, which no crawl of the topic counts, whether its
    strategy uses the background or not; empty if the hold-out is by address.

    `rows` of the `positives` targets are counted; the rest says which background it is. Raises
    NoCountedTargets, BadWebFile, OSError.
    """
    if topic.hold_out == Topic.HoldOut.BY_ADDRESS:
        return {}
    targets = set(topic.targets.values_list("url", flat=True))
    given = background.freeze(topic)
    inside = sorted(targets & background.urls_inside(topic, given))
    if targets and len(inside) == len(targets):
        raise NoCountedTargets("hold_out", _refusal(topic, len(inside)))
    copied = ("of", "name", "version", "digest", "at", "file")
    return {
        "of": "nothing",
        **{key: given[key] for key in copied if key in given},
        "hold_out": str(topic.hold_out),
        "rows": len(targets) - len(inside),
        "positives": len(targets),
        "inside": inside,
    }


def _refusal(topic: Topic, inside: int) -> str:
    version = background.chosen_version(topic)
    which = f"{version.background.name}, {number_of(version.texts, 'text')}" if version else "drawn"
    lie = "Its only target lies" if inside == 1 else f"All {count(inside)} targets lie"
    return (
        f"{lie} in the background ({which}), and none that does is counted. Have targets taken out"
        " by their addresses, choose a background of fewer pages, or add targets."
    )


def expected(topic: Topic) -> Frozen:
    """The origin if a crawl were started now, without the numbers of targets."""
    return {} if topic.hold_out == Topic.HoldOut.BY_ADDRESS else {"of": "expected"}


def supply(topic: topics.Topic, topic_id: int, frozen: Frozen) -> dict[str, Any]:
    """The counted targets alone."""
    return {"targets": topic.targets - frozenset(frozen["inside"])}


def hold_out_of(inputs: Mapping[str, Frozen]) -> str:
    """The hold-out of a crawl, by its inputs or their origins."""
    both = Topic.HoldOut
    return (both.REGARDLESS if COUNTED_TARGETS.id in inputs else both.BY_ADDRESS).value


def _origin(origin: Origin) -> str:
    if origin["of"] == "expected":
        return "counted targets: those outside its background"
    counted, every = origin["rows"], origin["positives"]
    return (
        f"counted targets: {count(counted)} of {count(every)},"
        f" {count(every - counted)} in its background"
    )


COUNTED_TARGETS = CrawlInput(
    id="counted_targets",
    title="Counted targets",
    sentence="The targets outside the background, where that is drawn without regard to labels.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    expected=expected,
)
