"""Experts: mixes strategies, weighted by the judgements of the links that they ranked high."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.curve_spec import CurveSpec, Style
from apps.engine.intelligence.classifying.text_scoring import page_probability
from apps.engine.intelligence.expert_weights import ExpertWeights
from apps.engine.intelligence.flat_state import joined, part_of
from apps.engine.intelligence.strategies.base import Strategy, WaitingUrls
from apps.engine.intelligence.strategies.classified import topicality
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.guides import GUIDES
from apps.engine.intelligence.strategies.member import Member
from apps.engine.intelligence.strategies.parameters import NumberRange, Several, Symbol
from apps.engine.intelligence.strategies.relearns import Relearns, relearning
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Judgement, Longs, Visit

MEMBERS = "learner breadth_first full_page text_window_combo"
COLOURS = ("strategy-1", "strategy-2", "strategy-3", "strategy-4", "strategy-0")
STYLES: tuple[Style, ...] = ("solid", "dashed", "faint")


def weight_of(id: str) -> str:
    """The name of a member's weight in the telemetry."""
    return f"expert_{id}"


def _curves() -> dict[str, CurveSpec]:
    """The members that are mixed by default take the colours that differ most."""
    usual_first = sorted(GUIDES, key=lambda cls: cls.id not in MEMBERS.split())
    return {
        weight_of(cls.id): CurveSpec(
            "alpha", cls.title, COLOURS[i % len(COLOURS)], STYLES[i // len(COLOURS) % len(STYLES)]
        )
        for i, cls in enumerate(usual_first)
    }


class Experts(Explains, Relearns):
    """Gives a link the weighted sum of its members' wishes for it, and learns the weights.

    Every member learns from every page and ranks every link; its wish for a link falls with the
    rank that it gives the link (`Member`). When a link has been fetched, the page's own-judged
    relevance P(c|v) raises or lowers the weights of the members that wanted it (`ExpertWeights`);
    links to which one member alone points count for more, since they are fetched less often. So the
    mixture comes to rank like its best member, and changes when another one becomes better. The
    idea is that of Gouriten, Maniu & Senellart 2014, the weights are those of Exp4 (Auer,
    Cesa-Bianchi, Freund & Schapire 2002, §7).

    Parameters:
        members: the strategies that are mixed, each with its default parameters.
        rate: how fast the weights move; at 0 they stay equal.
        reorders_every: pages between two rankings of all waiting links.
    """

    formula = "Σ weight·10/(10 + rank)"
    id = "experts"
    title = "Experts"
    paper = "Crawlsite"
    section = "Crawlsite"
    advice = "To mix strategies if you do not know which will do best on a web."
    needs = frozenset({Need.EXAMPLES})
    scores = "urls"
    learns_from_pages = True
    counts_labels = True
    curves = MappingProxyType(_curves())

    def __init__(
        self,
        *,
        members: Annotated[str, Several(lambda: (cls.id for cls in GUIDES), least=2)] = MEMBERS,
        rate: Annotated[float, NumberRange(0, 10), Symbol("η")] = 0.2,
        reorders_every: Annotated[int, NumberRange(1, 100_000)] = 10,
    ) -> None:
        self.members = members
        self.rate = rate
        self.reorders_every = reorders_every

    def _strategies(self) -> list[Strategy]:
        """The members, not fitted."""
        chosen = self.members.split()
        return [cls.build({}) for cls in GUIDES if cls.id in chosen]

    def needed(self) -> frozenset[Need]:
        needed = self.needs.union(*(member.needed() for member in self._strategies()))
        return needed - {Need.SUBJECT}  # its own examples are one

    def used(self) -> frozenset[Need]:
        used = (member.used() for member in self._strategies())
        return frozenset({Need.BACKGROUND}).union(*used) - self.needed()

    def fit(self, topic: TopicModel) -> Self:
        latent = topic.has_background
        self.classifier_ = topic.classifier(
            idf="background" if latent else "examples", latent=latent
        )
        self.members_ = [Member(member.fit(topic)) for member in self._strategies()]
        self.weights_ = ExpertWeights(len(self.members_), self.rate)
        self.pages_, self.relearns_ = 0, False
        return self

    def judge(self, visit: Visit) -> Judgement:
        return Judgement(topicality=page_probability(self.classifier_, visit))

    def learn(self, visit: Visit) -> None:
        self.pages_ += 1
        if visit.parent >= 0:
            wishes = self._wishes(np.array([visit.url_number]))[:, 0]
            self.weights_.reward(wishes, topicality(visit))
        for member in self.members_:
            member.learn(visit)

    def learn_site_list(self, visit: Visit, number: int) -> bool:
        for member in self.members_:
            member.learn_site_list(visit, number)
        return True

    def score_links(self, visit: Visit) -> Floats:
        return self.weights_.chances(self._wishes(visit.link_numbers))

    def _wishes(self, urls: Longs) -> Floats:
        """Members × URLs."""
        return np.array([member.wishes(urls) for member in self.members_])

    def reorder_due(self, pages: int) -> bool:
        due = (member.strategy.reorder_due(pages) for member in self.members_)
        return super().reorder_due(pages) or any(due)

    def rescore(self, frontier: WaitingUrls) -> Floats:
        for member in self.members_:
            again = self.relearns_ and relearning(member.strategy) is not None
            member.rescore(frontier, again or member.strategy.reorder_due(self.pages_))
        self.relearns_ = False
        return self.weights_.chances(self._wishes(frontier.numbers))

    def count_label(self, page: int, url: str, relevant: bool | None) -> None:
        self.relearns_ = True
        for member in self.members_:
            if again := relearning(member.strategy):
                again.count_label(page, url, relevant)

    def read_again(self, visit: Visit) -> Any:
        return [member.read_again(visit) for member in self.members_]

    def forget_pages(self) -> None:
        """Keeps the weights."""
        self.relearns_ = True
        for member in self.members_:
            member.forget_pages()

    def relearn_page(self, visit: Visit, read: Any) -> None:
        for member, of_member in zip(self.members_, read, strict=True):
            member.relearn_page(visit, of_member)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        """The terms that the members add."""
        wishes = self._wishes(visit.link_numbers[[link]])[:, 0]
        added = zip(self.members_, (self.weights_.now * wishes).tolist(), strict=True)
        return {member.strategy.title: value for member, value in added}

    def telemetry(self) -> dict[str, float]:
        weights = zip(self.members_, self.weights_.now.tolist(), strict=True)
        return {weight_of(member.strategy.id): weight for member, weight in weights}

    def restore_telemetry(self, telemetry: Mapping[str, float]) -> None:
        names = (weight_of(member.strategy.id) for member in self.members_)
        self.weights_.now = np.array([telemetry[name] for name in names])

    def state(self) -> dict[str, Any]:
        members = {member.strategy.id: member.state() for member in self.members_}
        return {
            **joined({**members, "weights": self.weights_.state()}),
            "pages": self.pages_,
            "relearns": self.relearns_,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        for member in self.members_:
            member.restore(part_of(state, member.strategy.id))
        self.weights_.restore(part_of(state, "weights"))
        self.pages_, self.relearns_ = int(state["pages"]), bool(state["relearns"])
