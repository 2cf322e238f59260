"""Why a page is judged as it is, in one plain sentence."""

from __future__ import annotations

from collections import Counter

from apps.crawls.models import Page
from apps.search.query import read_query
from apps.stored_pages.snippets import Snippets
from apps.topics.models import Topic

MOST_WORDS = 3


def why_judged(page: Page, topic: Topic, text: str, language: str) -> str:
    """The judges’ votes, which of the topic's keywords the text has, and who linked to it."""
    if page.relevant is None or page.votes is None:
        return "It needs JavaScript, so nobody judged it." if page.needs_javascript else ""
    verdict = "relevant" if page.relevant else "not relevant"
    in_favour = page.votes if page.relevant else (page.votes_of or 0) - page.votes
    judges = (
        f"{in_favour} of {page.votes_of} judges call" if page.votes_of != 1 else "The judge calls"
    )
    parts = [f"{judges} it {verdict}", _keywords(topic, text, language), _linked(page)]
    return "; ".join(filter(None, parts)) + "."


def _keywords(topic: Topic, text: str, language: str) -> str:
    if not topic.keywords or not text:
        return ""
    counts = Counter({word: n for word in topic.keywords if (n := _times(word, text, language))})
    if not counts:
        return "none of the topic’s keywords is in its text"
    most = [f"{word} ({n:,})" for word, n in counts.most_common(MOST_WORDS)]
    return f"of the topic’s keywords its text has {', '.join(most)}"


def _times(keyword: str, text: str, language: str) -> int:
    """How often a text has a keyword, in any form of its words."""
    clauses = read_query(f'"{keyword}"')
    words = sum(len(phrase.words) for clause in clauses for phrase in clause.phrases)
    marks = Snippets(clauses, language or None).marked(text).count("<mark>")
    return marks // max(1, words)


def _linked(page: Page) -> str:
    if page.seed:
        return "it is a seed"
    parent = Page.objects.filter(crawl=page.crawl_id, number=page.parent).first()
    if parent is None or parent.relevant is None:
        return ""
    return f"the page that linked to it is {'' if parent.relevant else 'not '}relevant"
