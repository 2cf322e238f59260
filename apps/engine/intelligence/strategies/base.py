"""What every crawl strategy is. Two kinds add to it: `explains` and `relearns`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Protocol, Self

from apps.engine.drawing import Drawn
from apps.engine.intelligence.strategies.parameters import Parametrised
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Longs, Need, Visit

Scores = Sequence[float | None] | Floats


class Frontier(Protocol):
    """What `rescore` may read of the waiting URLs; arrays in order of discovery.

    `numbers` are the waiting URLs' numbers. `edges()` returns, for every link seen from a fetched
    page to a waiting URL, the index into `numbers` and the page's URL number. `combine` turns one
    score an edge into one a waiting URL by the crawl's parent policy.
    """

    numbers: Longs

    def url(self, number: int) -> str: ...
    def parents(self) -> Longs: ...
    def edges(self) -> tuple[Longs, Longs]: ...
    def combine(self, scores: Floats) -> Floats: ...


class Strategy(Parametrised):
    """Gives waiting links their priority.

    What is learned ends in an underscore. `scores` says whether a score belongs to a link
    (`"links"`: the frontier's policy combines those of several parents) or to the URL itself
    (`"urls"`: a new score replaces the old one). `formula` is the score in the paper's letters.
    The frontier is scored again after `first_reorder` pages (0: `reorders_every`) and then every
    `reorders_every` (0: never). `drawn` has the curves of its `telemetry`, by the number's name.
    """

    title: ClassVar[str]
    paper: ClassVar[str]
    section: ClassVar[str]
    advice: ClassVar[str]
    needs: ClassVar[frozenset[Need]] = frozenset()
    drawn: ClassVar[Mapping[str, Drawn]] = MappingProxyType({})
    scores: Literal["links", "urls"] = "links"
    formula: str = ""
    reorders_every: int = 0
    first_reorder: int = 0

    def needed(self) -> frozenset[Need]:
        """The needs with the hyper-parameters in use; `needs` are those with the defaults."""
        return self.needs

    def fit(self, topic: TopicModel) -> Self:
        """Takes the topic's models. Raises NeedsMissing if the topic lacks one."""
        raise NotImplementedError

    def judge(self, visit: Visit) -> Judgement:
        """τ and σ of a page as this strategy estimates them; empty if it uses neither."""
        return Judgement()

    def score_links(self, visit: Visit) -> Scores:
        """A priority in [0, 1] for each of `visit.links.urls`; a None is not queued."""
        raise NotImplementedError

    def learn(self, visit: Visit) -> None:
        """Called once a page, before its links are scored."""

    def reorder_due(self, pages: int) -> bool:
        """Whether the frontier is to be scored again now that `pages` pages have been fetched."""
        if self.reorders_every == 0:
            return False
        late = pages - (self.first_reorder or self.reorders_every)
        return late >= 0 and late % self.reorders_every == 0

    def rescore(self, frontier: Frontier) -> Floats | None:
        """New priorities for all of `frontier.numbers`, or None to leave them as they are.

        Called when `reorder_due`, after the page's links were queued.
        """
        return None

    def telemetry(self) -> dict[str, float]:
        """Numbers to keep with each sample, such as `alpha`; `drawn` says which are charted."""
        return {}

    def state(self) -> dict[str, Any]:
        """What was learned, as arrays and plain values (written as npz and JSON)."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes back what `state` returned; called after `fit`."""
