"""The pages of a visit that people's watched searches match.

Searches are kept above this package: whoever keeps them listens to `matches_asked`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from apps.watches.digest_lines import lines_of
from apps.watches.models import Digest, Observation, SearchNews, Watch, WatchVisit
from apps.watches.signals import matches_asked


class SearchMatches(NamedTuple):
    """The observations of a visit that a person's search matches; `problem` is why it could not be
    asked, else empty."""

    person: int
    search: int
    name: str
    seen: Sequence[int]
    problem: str = ""


def ask_for_matches(visit: WatchVisit, goes_on: Callable[[], bool]) -> list[SearchMatches]:
    """The pages of a visit that each watched search matches; searches without a match are omitted,
    unless they failed."""
    answers: list[tuple[Any, Any]] = matches_asked.send(
        sender=WatchVisit, visit=visit, goes_on=goes_on
    )
    every = (matches for _, answer in answers for matches in answer or ())
    return [matches for matches in every if matches.seen or matches.problem]


def write_search_news(digest: Digest, matches: Iterable[SearchMatches]) -> None:
    """Stores the matches of the digest's visit."""
    SearchNews.objects.bulk_create(
        [
            SearchNews(
                digest=digest,
                person_id=each.person,
                search=each.search,
                name=each.name,
                seen=list(each.seen),
                problem=each.problem,
                pages=lines_of(Observation.objects.filter(pk__in=each.seen)),
            )
            for each in matches
        ]
    )


def rewrite_search_news(digest: Digest, pages: set[int]) -> None:
    """Writes the lines of these pages anew, from their versions as they are now."""
    for news in digest.search_news.all():
        rows = Observation.objects.filter(pk__in=news.seen, page__in=pages)
        written = {line["page"]: line for line in lines_of(rows)}
        news.pages = [written.get(line["page"], line) for line in news.pages]
        news.save(update_fields=["pages"])


def content_for(digest: Digest, person: User, searches_only: bool = False) -> dict[str, Any]:
    """The content of a digest as one person gets it: with what their searches match, or only
    that."""
    searches = [
        {
            "search": news.search,
            "name": news.name,
            "count": len(news.seen),
            "pages": news.pages,
            "problem": news.problem,
        }
        for news in digest.search_news.filter(person=person)
    ]
    content = {**digest.content, "searches": searches}
    return {**content, "pages": []} if searches_only else content


def matched_since(watch: Watch, person: User, since: datetime) -> dict[int, list[int]]:
    """The observations since a time that a person's watched searches match, by the key of the
    search; only searches with a match."""
    matched: dict[int, list[int]] = {}
    for search, seen in _news(watch, person).values_list("search", "seen").order_by("pk"):
        matched.setdefault(search, []).extend(seen)
    every = [pk for seen in matched.values() for pk in seen]
    late = set(Observation.objects.filter(pk__in=every, at__gt=since).values_list("pk", flat=True))
    kept = {search: [pk for pk in seen if pk in late] for search, seen in matched.items()}
    return {search: seen for search, seen in kept.items() if seen}


def problems_since(watch: Watch, person: User, since: datetime) -> dict[int, str]:
    """The latest error since a time of each of a person's watched searches that failed on a visit,
    by the key of the search."""
    rows = _news(watch, person).filter(digest__visit__ended_at__gt=since).exclude(problem="")
    return dict(rows.order_by("pk").values_list("search", "problem"))


def problem_of_all(watch: Watch, since: datetime) -> str:
    """Why no search has been asked about a visit since a moment, as a sentence; empty if each has.
    The last visit counts."""
    ended = WatchVisit.objects.filter(watch=watch, ended_at__gt=since)
    open_ones = ended.filter(Q(digest=None) | Q(digest__composed_at=None))
    visit = open_ones.select_related("digest").order_by("-number").first()
    if visit is None:
        return ""
    made = Digest.objects.filter(visit=visit).first()
    if made is not None and made.job_state == Digest.State.FAILED:
        return f"the digest of visit {visit.number} has failed: {made.job_problem}"
    return f"the pages of visit {visit.number} are still being indexed."


def _news(watch: Watch, person: User) -> QuerySet[SearchNews]:
    return SearchNews.objects.filter(digest__watch=watch, person=person)
