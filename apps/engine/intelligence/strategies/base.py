"""The base class of crawl strategies. `explains` and `relearns` extend it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Protocol, Self

from apps.engine.codes import Need
from apps.engine.curve_spec import CurveSpec
from apps.engine.intelligence.strategies.parameters import Parametrised
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Longs, Visit

Scores = Sequence[float | None] | Floats


@dataclass(frozen=True, slots=True)
class Moved:
    """New priorities of some waiting URLs; the others keep theirs."""

    numbers: Longs
    priorities: Floats


class WaitingUrls(Protocol):
    """The view of the waiting URLs for `rescore`, with arrays in order of discovery.

    `numbers` are the waiting URLs' numbers; `waiting_among` returns those of some numbers that
    wait, in their order, and does not cost more as the frontier grows. `edges()` returns, for every
    link from a fetched page to a waiting URL, the index into `numbers` and the page's URL number.
    `combine` combines one score per edge into one per waiting URL by the crawl's parent policy.
    """

    @property
    def numbers(self) -> Longs: ...
    def waiting_among(self, numbers: Longs) -> Longs: ...
    def url(self, number: int) -> str: ...
    def parents(self) -> Longs: ...
    def edges(self) -> tuple[Longs, Longs]: ...
    def combine(self, scores: Floats) -> Floats: ...


class Strategy(Parametrised):
    """Gives waiting links their priority.

    Learned attributes end in an underscore. `scores` is what scores belong to: links
    (`"links"`: the parent policy combines those of several parents) or to URLs (`"urls"`: a new
    score replaces the old one). `formula` is the score in the paper's symbols. The frontier is
    re-scored after `first_reorder` pages (0: `reorders_every`) and then every `reorders_every` (0:
    never). `curves` has the curves of the numbers in `telemetry`, by name.
    """

    title: ClassVar[str]
    paper: ClassVar[str]
    section: ClassVar[str]
    advice: ClassVar[str]
    needs: ClassVar[frozenset[Need]] = frozenset()
    curves: ClassVar[Mapping[str, CurveSpec]] = MappingProxyType({})
    scores: Literal["links", "urls"] = "links"
    formula: str = ""
    reorders_every: int = 0
    first_reorder: int = 0

    def needed(self) -> frozenset[Need]:
        """The needs with the current hyper-parameters; `needs` are those with the defaults."""
        return self.needs

    def used(self) -> frozenset[Need]:
        """The optional inputs that it uses if the topic has them, with the current
        hyper-parameters."""
        return frozenset()

    def all_needs(self) -> frozenset[Need]:
        """All that a crawl with it should be given: required and optional inputs."""
        return self.needed() | self.used()

    def fit(self, topic: TopicModel) -> Self:
        """Fits the strategy to the topic. Raises NeedsMissing if the topic lacks something."""
        raise NotImplementedError

    def judge(self, visit: Visit) -> Judgement:
        """The strategy's estimates of τ and σ of a page; empty if it uses neither."""
        return Judgement()

    def score_links(self, visit: Visit) -> Scores:
        """A priority in [0, 1] for each of `visit.links.urls`; None rejects a link."""
        raise NotImplementedError

    def learn(self, visit: Visit) -> None:
        """Learns from a page. Called once per page, before its links are scored."""

    def learn_site_list(self, visit: Visit, number: int) -> bool:
        """Learns the links of a sitemap or a feed; returns whether it did, so
        that `rescore` may score them again. `visit` is the list's text and links, with the
        judgement, address and URL number of the site's front page; `number` is the list's own.
        """
        return False

    def reorder_due(self, pages: int) -> bool:
        """Whether the frontier must be re-scored after `pages` fetched pages."""
        if self.reorders_every == 0:
            return False
        late = pages - (self.first_reorder or self.reorders_every)
        return late >= 0 and late % self.reorders_every == 0

    def rescore(self, frontier: WaitingUrls) -> Floats | Moved | None:
        """New priorities for all of `frontier.numbers` or for some, or None to keep the old ones.

        Called if `reorder_due`, after the page's links are queued.
        """
        return None

    def topicality_at_end(self) -> dict[int, float]:
        """τ of fetched pages, by URL number, by all that the crawl knows at its end; none where
        that is what it was when they were fetched."""
        return {}

    def telemetry(self) -> dict[str, float]:
        """Numbers to store with each sample, such as `alpha`; those in `curves` are charted."""
        return {}

    def report(self) -> dict[str, Floats]:
        """Arrays that the strategy noted once, for the figures of a finished crawl, by name."""
        return {}

    def state(self) -> dict[str, Any]:
        """The learned state, as arrays and plain values (stored as npz and JSON)."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned; called after `fit`."""
