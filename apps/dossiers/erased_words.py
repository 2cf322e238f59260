"""The words that only erased pages had, taken out of what crawls have learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from functools import cache

from apps.crawls.deletion import IDLE
from apps.crawls.models import Crawl, Page
from apps.crawls.pages.bodies import Bodies
from apps.crawls.pages.folder import crawl_folder
from apps.crawls.words_to_erase import ask_to_erase
from apps.engine import checkpoint
from apps.engine.errors import BadCheckpoint, EngineError
from apps.engine.parsing.words import words
from apps.engine.representation import tokens
from apps.engine.representation.stemmers import STEMMED_LANGUAGES, stemmer
from apps.stored_files.files import is_elsewhere, keep, local
from apps.stored_pages.page_text import page_text
from apps.topics.snapshots import engine_topic

RENEWED_EVERY = 500
Heartbeat = Callable[[], bool]


def erase_words(crawl: Crawl, pages: Iterable[Page], heartbeat: Heartbeat) -> bool:
    """Takes the words of these pages out of what the crawl has learned that none of its other pages
    and no example of its topic has; False if the job is no longer wanted.

    The numbers of the words stay, so that what was learned of the others does. The checkpoint of a
    crawl at rest is written anew; a run that is under way, or begins meanwhile, forgets the words
    before its next one. Raises OSError.
    """
    if crawl.state in IDLE and not _has_checkpoint(crawl):
        return True
    others = Page.objects.filter(crawl=crawl).order_by("seq")
    own, left = _words_of(crawl, pages, heartbeat), _words_of(crawl, others.iterator(), heartbeat)
    if own is None or left is None:
        return False
    left |= _words_of_topic(crawl)
    lost = _stems(own) - _stems(left)
    asked = ask_to_erase(crawl, lost)
    crawl.refresh_from_db(fields=["state", "checkpoint", "epoch"])
    if crawl.state in IDLE:
        _erase_in_checkpoint(crawl, lost)
        if Crawl.objects.filter(pk=crawl.pk, epoch=crawl.epoch, state__in=IDLE).exists():
            asked.delete()
    return True


def _has_checkpoint(crawl: Crawl) -> bool:
    return bool(crawl.checkpoint) and local(crawl_folder(crawl.pk) / crawl.checkpoint).exists()


def _erase_in_checkpoint(crawl: Crawl, lost: Set[str]) -> None:
    if not _has_checkpoint(crawl):
        return
    path = crawl_folder(crawl.pk) / crawl.checkpoint
    try:
        state = checkpoint.read(path)
    except BadCheckpoint:
        path.unlink()
        return
    state["vocabulary"] = tokens.erase_words(state["vocabulary"], lost.__contains__)
    checkpoint.write(path, state)
    if is_elsewhere():
        keep(path)


def _words_of(crawl: Crawl, pages: Iterable[Page], heartbeat: Heartbeat) -> set[str] | None:
    """The words to erase; None if the job is no longer wanted."""
    every: set[str] = set()
    with Bodies(crawl) as bodies:
        for number, page in enumerate(pages):
            if number % RENEWED_EVERY == 0 and not heartbeat():
                return None
            try:
                text = page_text(bodies.answer(page))
            except EngineError:
                continue
            every.update(words(f"{text.title}\n{text.text}"))
    return every


def _words_of_topic(crawl: Crawl) -> set[str]:
    if crawl.snapshot is None:
        return set()
    topic = engine_topic(crawl.snapshot)
    pages = (*topic.training, *topic.evaluation)
    documents = [*(page.document for page in pages), *topic.background]
    texts = [*topic.keywords, topic.description or ""]
    return {word for each in documents for word in each.words} | {*words(" ".join(texts))}


def _stems(of: Iterable[str]) -> set[str]:
    """The words and their stems in every language."""
    stemmers = [cache(stemmer(language)) for language in STEMMED_LANGUAGES]
    return {stem for word in of for stem in (word, *(each(word) for each in stemmers))}
