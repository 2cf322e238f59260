"""A topic's targets: whether each can be reached, and which crawls reached it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q

from apps.crawls.models import Page
from apps.crawls.selectors import visible_crawls
from apps.topics.models import Target, Topic
from apps.webs.messages import failure_words

State = Target.State
# Icon, tone and word of each state, in the order of the summary.
SHOWN: dict[str, tuple[str, str, str]] = {
    State.REACHABLE: ("check", "ok", "reachable"),
    State.MOVED: ("arrow", "quiet", "moved"),
    State.GONE: ("cross", "bad", "gone"),
    State.UNCLEAR: ("warn", "warn", "unclear"),
    State.ASKED: ("clock", "quiet", "being checked"),
}


@dataclass(frozen=True, slots=True)
class TargetRow:
    """A target, its answer at `checked_at`, and the visible crawls that reached it."""

    url: str
    state: str
    detail: str
    checked_at: datetime | None
    crawls: tuple[int, ...]

    @property
    def icon(self) -> str:
        return SHOWN[self.state][0]

    @property
    def tone(self) -> str:
        return SHOWN[self.state][1]

    @property
    def words(self) -> str:
        """`reachable`; `moved to …`; `gone: …` and `unclear: …` with the answer."""
        word = SHOWN[self.state][2] if self.state else ""
        if self.state == State.MOVED:
            return f"{word} to {self.detail}"
        return f"{word}: {failure_words(self.detail)}" if self.detail else word


def target_rows(topic: Topic, user: User) -> list[TargetRow]:
    """The targets with the crawls that reached them, requested or by redirects; those that most
    crawls reached first, then in stored order."""
    targets = {target.url: target for target in topic.targets.all()}
    crawls: dict[str, set[int]] = {url: set() for url in targets}
    names = topic.targets.values("url")
    reached = Page.objects.filter(
        Q(url__in=names) | Q(final_url__in=names),
        crawl__in=visible_crawls(user).filter(topic=topic).values("pk"),
        target=True,
    )
    for crawl, url, final_url in reached.order_by().values_list("crawl_id", "url", "final_url"):
        for each in {url, final_url} & crawls.keys():
            crawls[each].add(crawl)
    rows = [
        TargetRow(url, target.state, target.detail, target.checked_at, tuple(sorted(crawls[url])))
        for url, target in targets.items()
    ]
    return sorted(rows, key=lambda row: -len(row.crawls))


def state_counts(rows: Sequence[TargetRow]) -> list[tuple[int, str]]:
    """How many targets are in each state, as numbers and words, without those never checked."""
    counts = Counter(row.state for row in rows)
    return [(counts[state], SHOWN[state][2]) for state in SHOWN if counts[state]]
