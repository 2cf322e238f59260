"""Changes of drafts: the search for candidates, answers, and the topic with its crawl."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from apps.begin import adviser
from apps.begin.adviser import MOST_ASKED, SETTING
from apps.begin.drafts import TYPED_FIELDS, BeginRefused
from apps.begin.fitting import PageTerms
from apps.begin.models import CandidatePage, Draft
from apps.begin.selectors import best_pages, fitting_of, is_gathering
from apps.begin.sources.catalogue import SOURCES
from apps.begin.sources.given_sites import YOURS
from apps.begin.sources.recorded_webs import has_unasked_web
from apps.begin.start_cost import PAGES
from apps.begin.turns import LIKELY, UNLIKELY
from apps.begin.understanding import read_entries, translated_words, understand
from apps.crawls.commands.lifecycle.start import start
from apps.crawls.models import Crawl
from apps.crawls.services import create_crawl
from apps.engine.answers import Answer
from apps.engine.model import Document
from apps.engine.parsing.document import parse
from apps.engine.urls import canonical
from apps.jobs import queue
from apps.topics.definition.list_files import below
from apps.topics.definition.schemas import Definition
from apps.topics.examples.loading import keep_page
from apps.topics.examples.page_store import ExampleWriter
from apps.topics.models import Topic
from apps.topics.services import Saved, create_topic
from apps.webs.selectors import live_web

STRATEGY = "learner"
SEEDS_WITHOUT_ADDRESS = 8
EVEN = (LIKELY + UNLIKELY) / 2
"""From this chance on a page is expected to be meant."""
NOTHING_TYPED = "Write a sentence. Words and addresses help, but one sentence is enough."
GIVE_AN_ADDRESS = "Give one address you know; a bare domain will do."
NO_SOURCE = (
    "No page to begin from: there is no recorded web here to search, and no search engine is set"
    f" up. {GIVE_AN_ADDRESS}"
)
NO_PAGE = f"No page to begin from: none that was read has your words. {GIVE_AN_ADDRESS}"


class AlreadyMade(Exception):
    """A topic is made of the draft at this moment: its form was sent twice."""

    def __init__(self, topic: Topic) -> None:
        super().__init__(topic.name)
        self.topic = topic


@dataclass(frozen=True, slots=True)
class Started:
    """The topic of a draft, its crawl, and the lines of addresses that were not accepted."""

    saved: Saved
    crawl: Crawl


@dataclass(frozen=True, slots=True)
class MadeReady:
    """The slow parts of a topic, prepared before it is stored: its definition, and the pages with
    an answer, by address, parsed."""

    definition: Definition
    pages: Mapping[str, tuple[Answer, Document]]


def gather(draft: Draft) -> None:
    """Queues the search for candidate pages, which goes on from where an earlier one was."""
    if not draft.is_empty:
        queue.enqueue(draft)


def gather_indexed(draft: Draft) -> None:
    """Seeks candidates in recorded webs that have been indexed since the last search."""
    if draft.job_state == Draft.State.DONE and has_unasked_web(draft):
        gather(draft)


def ask_adviser(draft: Draft) -> None:
    """Queues a question to the adviser. Raises BeginRefused where there is none to be asked."""
    if not adviser.is_set_up():
        raise BeginRefused("", f"No adviser is set up: an administrator names one in {SETTING}.")
    if draft.is_empty:
        raise BeginRefused("description", NOTHING_TYPED)
    with transaction.atomic():
        Draft.objects.select_for_update().get(pk=draft.pk)
        if draft.adviser_questions.count() >= MOST_ASKED:
            raise BeginRefused("", f"The adviser answers {MOST_ASKED} times for one topic.")
        if not draft.adviser_questions.filter(is_open=True).exists():
            question = adviser.question_of(draft)
            draft.adviser_questions.create(sent=question, host=adviser.adviser_host())
        gather(draft)


def seek_first_pages(draft: Draft, has_waited: bool) -> bool:
    """Whether a crawl of the draft has to wait for its first pages, which are sought now: it has no
    address, no page is read yet, and a source may have some. After it `has_waited`, only as long
    as they are still sought."""
    has_address = read_entries(draft.addresses) or _urls(draft, "yes")
    if draft.is_empty or has_address or best_pages(draft, 1) or not _searches(draft):
        return False
    if has_waited:
        return is_gathering(draft)
    gather(draft)
    return True


def _what_is_needed(draft: Draft) -> str:
    if not _searches(draft):
        return NO_SOURCE
    return NO_PAGE if draft.job_attempt else f"No page to begin from. {GIVE_AN_ADDRESS}"


def _searches(draft: Draft) -> bool:
    """Whether a source can have pages for words alone."""
    return any(source.needs_no_address(draft) for source in SOURCES)


def answer(page: CandidatePage, value: str) -> None:
    """Notes the answer and what was expected before it; an empty one takes the answer back."""
    if value in ("yes", "no") and page.answer not in ("yes", "no"):
        page.expected = _expectation(page)
    page.answer = value
    page.answered_at = timezone.now() if value else None
    page.save(update_fields=["answer", "answered_at", "expected"])


def _expectation(page: CandidatePage) -> bool | None:
    """Whether the page is expected to be meant; None as long as nothing tells pages apart."""
    fitting = fitting_of(page.draft)
    if not fitting.has_evidence:
        return None
    return fitting.chance(PageTerms(page.terms, page.language)) >= EVEN


def undo_last(draft: Draft) -> CandidatePage | None:
    """Takes back the last answer and returns its page."""
    page = draft.candidates.exclude(answer="").order_by("-answered_at").first()
    if page is not None:
        answer(page, "")
    return page


def definition_of(
    draft: Draft, further: Mapping[str, str] | None = None, first_pages: Sequence[str] = ()
) -> Definition:
    """The topic of the draft: yes and no answers are its examples, addresses, `first_pages` and yes
    pages its seeds. `further` are lists of the full form, by name."""
    if draft.is_empty:
        raise BeginRefused("description", NOTHING_TYPED)
    texts = dict(further or {})
    yes, no = (_urls(draft, each) for each in ("yes", "no"))
    texts["seeds"] = _with_lines(draft.addresses, [*first_pages, *_over_http(draft), *yes])
    texts["positives"] = _with_lines(texts.get("positives", ""), yes)
    texts["negatives"] = _with_lines(texts.get("negatives", ""), no)
    understood, translated = understand(draft), translated_words(draft)
    return Definition(
        name=understood.name or "New topic",
        description=draft.sentence,
        keywords=(*draft.words, *translated),
        language=" ".join(understood.languages) if translated else draft.language,
        web_id=draft.web_id,
        lists=texts,
    )


def save_topic(draft: Draft, further: Mapping[str, str] | None = None) -> Saved:
    """The topic of the draft, with the pages of its answers. Raises BeginRefused, TopicRefused,
    and AlreadyMade."""
    ready = _make_ready(draft, further)
    with transaction.atomic():
        return _store_topic(draft, ready)


def start_crawl(draft: Draft, further: Mapping[str, str] | None = None) -> Started:
    """The topic of the draft and its crawl by the learner, queued. Without an address it begins at
    the pages that fit best.

    Raises BeginRefused, TopicRefused, CrawlRefused and AlreadyMade; then nothing is stored.
    """
    best: list[str] = []
    if not read_entries(draft.addresses) and not _urls(draft, "yes"):
        best = [page.url for page in best_pages(draft, SEEDS_WITHOUT_ADDRESS)]
        if not best and not draft.is_empty:
            raise BeginRefused("seeds", _what_is_needed(draft))
    ready = _make_ready(draft, further, best)
    with transaction.atomic():
        saved = _store_topic(draft, ready)
        web = saved.topic.web or live_web()
        crawl = create_crawl(draft.owner, saved.topic, web, strategy=STRATEGY, budget=PAGES)
        start(crawl)
    return Started(saved, crawl)


def _make_ready(
    draft: Draft, further: Mapping[str, str] | None, first_pages: Sequence[str] = ()
) -> MadeReady:
    """Prepares the slow parts without a lock, since no crawl could commit meanwhile."""
    answered = draft.candidates.filter(answer__in=["yes", "no"])
    answers = {page.url: _answer_of(page) for page in answered if page.body}
    pages = {url: (answer, parse(answer)) for url, answer in answers.items()}
    return MadeReady(definition_of(draft, further, first_pages), pages)


def _store_topic(draft: Draft, ready: MadeReady) -> Saved:
    """Stores the topic, unless one was made of the draft meanwhile: raises AlreadyMade. The draft
    is stored with what the topic was made of, whatever was typed at the same moment."""
    stored = Draft.objects.select_for_update().get(pk=draft.pk)
    if stored.topic is not None:
        raise AlreadyMade(stored.topic)
    name = _free_name(draft.owner, ready.definition.name)
    saved = create_topic(draft.owner, ready.definition.model_copy(update={"name": name}))
    with ExampleWriter(saved.topic.pk) as writer:
        for example in saved.topic.examples.filter(url__in=list(ready.pages)):
            answer, document = ready.pages[example.url]
            keep_page(example, answer, writer, document)
    queue.cancel(draft)
    draft.save(update_fields=TYPED_FIELDS)
    Draft.objects.filter(pk=draft.pk).update(topic=saved.topic)
    queue.enqueue(saved.topic, work_wanted=Topic.Work.FETCHING)
    return saved


def start_once_gathered(draft: Draft) -> bool:
    """Schedules the crawl to start once its first pages have been gathered; returns whether it has
    to wait for them."""
    with transaction.atomic():
        has_to_wait = seek_first_pages(draft, has_waited=False)
        Draft.objects.filter(pk=draft.pk).update(starts_itself=has_to_wait)
    return has_to_wait


def _urls(draft: Draft, value: str) -> list[str]:
    rows = draft.candidates.filter(answer=value).order_by("answered_at")
    return list(rows.values_list("url", flat=True))


def _over_http(draft: Draft) -> list[str]:
    """The addresses of bare domains that answered over HTTP alone."""
    rows = draft.candidates.filter(detail=YOURS, fetch=CandidatePage.FetchState.FETCHED)
    typed = {entry.key for entry in read_entries(draft.addresses)}
    return [url for url in rows.values_list("url", flat=True) if url not in typed]


def _with_lines(text: str, urls: list[str]) -> str:
    """The list with further addresses, each once."""
    present = {entry.key for entry in read_entries(text)} if text.strip() else set()
    fresh = [url for url in dict.fromkeys(urls) if (canonical(url) or url) not in present]
    return below(text, "\n".join(fresh)) if fresh else text


def _free_name(owner: User, name: str) -> str:
    """The name, with a number behind it where the person has a topic of that name."""
    taken = set(Topic.objects.filter(owner=owner).values_list("name", flat=True))
    numbered = (f"{name} ({n})" for n in range(2, len(taken) + 3))
    return name if name not in taken else next(each for each in numbered if each not in taken)


def _answer_of(page: CandidatePage) -> Answer:
    return Answer(
        page.url,
        page.final_url or page.url,
        200,
        (("Content-Type", page.content_type),) if page.content_type else (),
        zlib.decompress(page.body),
    )
