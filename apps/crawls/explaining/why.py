"""Why a page was fetched when it was, or why a link waits where it does."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from apps.crawls.commands.labelling.labels import labels_before
from apps.crawls.explaining.link_score import Explanation, ScoredWord, explain
from apps.crawls.explaining.parts import Parts, parts, sentence
from apps.crawls.models import Crawl, FrontierEntry, Page
from apps.crawls.packing import unpack_those_with
from apps.crawls.site_lists import ListedIn, listed_in
from apps.engine.errors import EngineError
from apps.engine.frontier.parents import POLICIES
from apps.engine.frontier.sections import section_of

LONGEST_PATH = 1_000
LOOKED_THROUGH = 5_000
"""The pages searched for links to a URL, from the one that had the first."""
FAMILY = 1_000
"""The linking pages whose other links are looked at."""
AT_ONCE = 10_000
SHOWN_FIRST, SHOWN_LAST = 2, 5
STRONG, SOME = 0.5, 0.1
SAME = 0.0015
LIKELY = 0.5
BESIDE = " A person labelled a page it stands beside."


@dataclass(frozen=True, slots=True)
class ShownWord:
    """A word of the context, with its strength and its sign."""

    text: str
    weight: float | None
    strength: str
    against: bool
    linked: bool


@dataclass(frozen=True, slots=True)
class Why:
    """All about one URL. `waited` counts pages fetched between its first link and itself.

    `fetched` is its page (None: it waits), `parent` the page whose link gave the priority (None: a
    seed), `parents` how many pages link to it; `unread` pages, fetched before it or so far, were
    not looked through for links. `path` are the pages from the seed to it, of which `skipped` are
    left out after the second.
    `differs` is the formula's current value if it differs from the priority. `trouble` is why the
    formula cannot be evaluated. `sentence` is the explanation in words, `parts` its terms,
    `policy` how several parents' scores are combined, `listed` the entry of a sitemap or feed that
    named it, without which no page links to it.
    """

    url: str
    fetched: Page | None
    priority: float | None
    parent: Page | None
    parents: int
    unread: int
    waited: int | None
    path: tuple[Page, ...]
    skipped: int
    links: int
    explanation: Explanation | None
    words: tuple[ShownWord, ...]
    differs: float | None
    trouble: str
    sentence: str
    parts: Parts | None
    policy: str
    listed: ListedIn | None


@dataclass(frozen=True, slots=True)
class _Beside:
    """The other pages that a URL's parents link to: how many are `fetched`, `likely` on the topic
    and `labelled` by a person; and how many labelled pages are of the same host and folder."""

    fetched: int
    likely: int
    labelled: int
    labelled_of_section: int


def why(crawl: Crawl, number: int) -> Why | None:
    """All about a URL; None if the crawl has no such URL."""
    entry = crawl.frontier.filter(number=number).first()
    return None if entry is None else _why(crawl, entry)


def _why(crawl: Crawl, entry: FrontierEntry) -> Why:
    fetched = crawl.pages_fetched.filter(number=entry.number).first()
    head = next((e for e in crawl.queue_head if e["number"] == entry.number), None)
    priority, parent_number = _standing(entry, fetched, head)
    parent = crawl.pages_fetched.filter(number=parent_number).first()
    before = fetched.seq if fetched else crawl.pages + 1
    first = crawl.pages_fetched.filter(number=entry.parent).values_list("seq", flat=True).first()
    end = min(before, (first or 1) + LOOKED_THROUGH)
    linking = _linking(crawl, entry.number, first or 1, end)
    listed = listed_in(crawl, entry.url)
    explanation, trouble = None, ""
    if linking or listed is None:
        explanation, trouble = _explained(crawl, parent, entry.number, before)
    score = explanation.score if explanation and not explanation.ranks_urls else None
    path = _path(crawl, parent)
    skipped = max(0, len(path) - SHOWN_FIRST - SHOWN_LAST)
    differs = score is not None and priority is not None and abs(score - priority) > SAME
    terms, beside = None, None
    if explanation is not None and explanation.terms:
        if explanation.sums_to:
            beside = _beside(crawl, entry, linking, before)
        terms = parts(explanation, _texts(entry, len(linking), beside) if beside else {})
    return Why(
        url=entry.url,
        fetched=fetched,
        priority=priority,
        parent=parent,
        parents=len(linking),
        unread=before - end,
        waited=before - 1 - first if first else None,
        path=path if not skipped else path[:SHOWN_FIRST] + path[-SHOWN_LAST:],
        skipped=skipped,
        links=len(path),
        explanation=explanation,
        words=_shown_words(explanation) if explanation else (),
        differs=score if differs else None,
        trouble=trouble,
        sentence=sentence(explanation, terms, priority, not fetched)
        + (BESIDE if beside and (beside.labelled or beside.labelled_of_section) else "")
        if explanation is not None and terms is not None
        else "",
        parts=terms,
        policy=""
        if explanation and explanation.ranks_urls
        else POLICIES[crawl.parent_policy].phrase,
        listed=listed,
    )


def _standing(
    entry: FrontierEntry, fetched: Page | None, head: Mapping[str, Any] | None
) -> tuple[float | None, int]:
    """The priority, now or when it was picked, and the number of the page that gave it."""
    if fetched is not None:
        return fetched.priority, fetched.parent
    if head is not None:
        return head["priority"], head.get("parent", entry.parent)
    return None, entry.parent


def _explained(
    crawl: Crawl, parent: Page | None, number: int, before: int
) -> tuple[Explanation | None, str]:
    if parent is None or crawl.snapshot is None:
        return None, ""
    try:
        return explain(crawl, parent, number, before), ""
    except (EngineError, LookupError) as error:
        return None, f"The page that links here cannot be read again: {error}."


def _linking(crawl: Crawl, number: int, first: int, end: int) -> list[set[int]]:
    """The links of each page from `first` until before `end` that links to the URL."""
    rows = crawl.outlinks.filter(seq__gte=first, seq__lt=end).values_list("targets", flat=True)
    return [set(links.tolist()) for links in unpack_those_with(number, rows.iterator(500))]


def _beside(
    crawl: Crawl, entry: FrontierEntry, linking: Collection[set[int]], before: int
) -> _Beside:
    siblings = sorted(set().union(*islice(linking, FAMILY)) - {entry.number})
    labels = labels_before(crawl, before)
    fetched: dict[int, float] = {}
    for start in range(0, len(siblings), AT_ONCE):
        rows = crawl.pages_fetched.numbered(siblings[start : start + AT_ONCE])
        judged = rows.values_list("seq", "topicality")
        fetched.update((seq, tau) for seq, tau in judged if seq < before and tau is not None)
    section = section_of(entry.url)
    urls = crawl.pages_fetched.filter(seq__in=labels).values_list("final_url", flat=True)
    return _Beside(
        fetched=len(fetched),
        likely=sum(labels.get(seq, tau >= LIKELY) for seq, tau in fetched.items()),
        labelled=len(labels.keys() & fetched.keys()),
        labelled_of_section=sum(section_of(url) == section for url in urls),
    )


def _texts(entry: FrontierEntry, parents: int, beside: _Beside) -> dict[str, str]:
    """Texts about the URL's parents, siblings and section, by the term of the learner."""
    pages_link = "page links" if parents == 1 else "pages link"
    return {
        "parents": f"{parents:,} {pages_link} to it",
        "siblings": f"{beside.likely:,} of {beside.fetched:,} fetched ones look relevant"
        + _labelled(beside.labelled),
        "place": f"the pages fetched from {section_of(entry.url)}"
        + _labelled(beside.labelled_of_section),
    }


def _labelled(pages: int) -> str:
    """`; a person labelled 2 of them`, or nothing."""
    return f"; a person labelled {pages:,} of them" if pages else ""


def _path(crawl: Crawl, page: Page | None) -> tuple[Page, ...]:
    """From the seed to the page, at most a thousand steps back."""
    path: list[Page] = []
    while page is not None and len(path) < LONGEST_PATH:
        path.append(page)
        page = crawl.pages_fetched.filter(number=page.parent).first() if page.parent >= 0 else None
    return tuple(reversed(path))


def _shown_words(explanation: Explanation) -> tuple[ShownWord, ...]:
    return tuple(_shown_word(word, explanation.scale) for word in explanation.words)


def _shown_word(word: ScoredWord, scale: float) -> ShownWord:
    share = abs(word.weight or 0.0) / scale
    strength = "strong" if share >= STRONG else "some" if share >= SOME else ""
    weight = word.weight if strength else None
    return ShownWord(word.text, weight, strength, (weight or 0.0) < 0, word.linked)
