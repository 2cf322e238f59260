"""The value of words, classes and links near a link as the apprentice's features (AFC §3.4,
§3.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from apps.engine.intelligence.link_memory import Critic, earlier_visits
from apps.engine.intelligence.offsets.bayes import Bools, Neighbours
from apps.engine.intelligence.offsets.features import OffsetFeatures, OffsetMemory, page_features
from apps.engine.intelligence.offsets.figures import AtOffset, Validation, by_offset, cross_validate
from apps.engine.intelligence.page_classes import PageClasses
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.parsing.contexts.leaf_tags import leaf_tags
from apps.engine.topics import CrawledPage

WINDOWS = range(9)
WIDEST = 5
COMMONEST = 3
EFFECTS = (
    "words alone",
    "and classes of the page",
    "and classes with all above",
    "and co-citation",
)
Tags = tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Window:
    """One window size: held-out accuracy with offsets and without (AFC Fig. 6, 7), and the
    information of words at each offset (Fig. 8, 9a)."""

    dmax: int
    offsets: Validation
    plain: Validation
    at: tuple[AtOffset, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """Held-out accuracy with one more kind of feature besides the words (AFC §3.8)."""

    features: str
    validation: Validation


@dataclass(frozen=True, slots=True)
class TrainingLinks:
    """The links of a crawl as training data: which are HIGH, which LOW, and their features."""

    high: Bools
    low: Bools
    features: OffsetFeatures
    near: Neighbours

    @property
    def links(self) -> int:
        """How many links are training data: both their ends were fetched."""
        return int((self.high | self.low).sum())


def lesson(
    model: TopicModel,
    dmax: int = WIDEST,
    offsets: bool = True,
    classes: PageClasses | None = None,
    cocitation: bool = False,
    critic: Critic | None = None,
) -> TrainingLinks:
    """The links of the topic's earlier crawl, split at the median of the critic's P(c|v); without
    a critic by the topic's classifier."""
    memory = OffsetMemory()
    for visit in earlier_visits(model, critic or model.topicality_judge()):
        page_classes = (len(classes), classes.of(visit)) if classes else (0, None)
        memory.keep(visit, page_features(visit, dmax, offsets, *page_classes))
    at_least, high, low = memory.labelled("median")
    features = memory.features()
    tau = memory.tau[features.owner.clip(0)]
    return TrainingLinks(high, low, features, Neighbours(cocitation, tau, at_least))


def window(model: TopicModel, dmax: int, critic: Critic | None = None) -> Window:
    """The figures of one window size."""
    with_offsets, plain = (lesson(model, dmax, offsets, critic=critic) for offsets in (True, False))
    return Window(
        dmax,
        _cross_validate(with_offsets, 2 * dmax + 1),
        _cross_validate(plain, 1),
        by_offset(with_offsets.features, with_offsets.high, with_offsets.low, dmax),
    )


def effects(model: TopicModel) -> tuple[Effect, ...]:
    """Words alone, then with the page's classes, with their prefixes too, and with co-citation."""
    names, prefixes = (PageClasses(model, above=above) for above in (False, True))
    lessons = (
        lesson(model),
        lesson(model, classes=names),
        lesson(model, classes=prefixes),
        lesson(model, cocitation=True),
    )
    return tuple(
        Effect(features, _cross_validate(each, 2 * WIDEST + 1))
        for features, each in zip(EFFECTS, lessons, strict=True)
    )


def tags(pages: Sequence[CrawledPage]) -> Tags:
    """The commonest tags at each offset from −5 to 5, with their counts (AFC Fig. 9b)."""
    counts: Counter[tuple[int, str]] = Counter()
    for page in pages:
        counts.update(leaf_tags(page.document, WIDEST))
    at: dict[int, Counter[str]] = {d: Counter() for d in range(-WIDEST, WIDEST + 1)}
    for (offset, tag), count in counts.items():
        at[offset][tag] += count
    return tuple(tuple(counter.most_common(COMMONEST)) for counter in at.values())


def _cross_validate(examples: TrainingLinks, offsets: int) -> Validation:
    return cross_validate(examples.features, examples.high, examples.low, offsets, examples.near)
