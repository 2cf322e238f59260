"""Why a page is in the collection, in one or two sentences for the column `why`."""

from __future__ import annotations

from apps.crawls.models import Page


def why(page: Page, parent_url: str | None, label: bool | None) -> str:
    """`Relevant: 2 of 3 judges say yes, probability 0.75; topicality 0.81. 2 links from a seed,
    linked from http://a.test/1.`"""
    return f"{_verdict(page, label)} {_way(page, parent_url)}"


def _verdict(page: Page, label: bool | None) -> str:
    labelled = "" if label is None else f" Labelled {'yes' if label else 'no'} by a person."
    topicality = "" if page.topicality is None else f"; topicality {page.topicality:.2f}"
    if page.relevant is None:
        reason = ": its text needs JavaScript" if page.needs_javascript else ""
        return f"Not judged{reason}{topicality}.{labelled}"
    return f"{'Relevant' if page.relevant else 'Not relevant'}{_votes(page)}{topicality}.{labelled}"


def _votes(page: Page) -> str:
    if page.votes is None:
        return ""
    probability = "" if page.probability is None else f"probability {page.probability:.2f}"
    if page.votes_of == 1:
        return f": {probability or 'by one judge'}"
    votes = f"{page.votes} of {page.votes_of} judges say yes"
    return f": {votes}{', ' if probability else ''}{probability}"


def _way(page: Page, parent_url: str | None) -> str:
    if page.seed:
        return "A seed of the crawl."
    links = f"{page.depth:,} link{'' if page.depth == 1 else 's'} from a seed"
    return f"{links}, linked from {parent_url}." if parent_url else f"{links}."
