"""Labels of crawled pages, one or many at once; the crawl learns after five new ones.

A label becomes an example of the topic at once. After its event `label_heeded` it also counts for
the estimated recall and, if the strategy counts labels at once, for the links beside the page. The
event `labels` names all labels in force from then on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.crawls.commands.command import Command, EventKind, Payload, Person, Undo
from apps.crawls.commands.labelling.label_effects import HEEDED, follow_labels, send_changes
from apps.crawls.commands.labelling.retrain import KIND, pending, retrain
from apps.crawls.commands.labelling.settling import carry_settlement
from apps.crawls.errors import CrawlRefused
from apps.crawls.labels.counted import in_force
from apps.crawls.models import Crawl, Label, Page
from apps.engine.digests import digest
from apps.topics.definition.lines import storable
from apps.topics.lock import lock_topic

ENOUGH = 5
MOST = 1_000
LONGEST_NOTE = 1_000
LABEL_WORDS: Mapping[bool | None, str] = {True: "y", False: "n", None: "taken back"}
LETTERS = {"y": True, "n": False, "-": None}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page's label now (None: none), and how many labelled pages are not yet learned from."""

    relevant: bool | None
    pending: int
    asked: bool


@dataclass(frozen=True, slots=True)
class LabelChange:
    """A label for many pages, None to remove labels; `pages` are their numbers."""

    relevant: bool | None
    pages: tuple[int, ...]


def label(
    crawl: Crawl,
    seq: int,
    relevant: bool,
    by: Person = None,
    kind: Label.Purpose = Label.Purpose.PICKED,
    note: str = "",
) -> Labelled:
    """Labels page `seq` for a person, or removes their label if it is the same. Retrains after five
    new labels.

    Raises CrawlRefused if there is no such page or it cannot be an example.
    """
    present = labels_of(crawl, [seq], by).get(seq)
    wanted = None if present == relevant else relevant
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        with _send_changes(crawl, [seq], by):
            _set(crawl, seq, wanted, by, kind, note)
    return _retrain_after_enough(crawl, wanted, by)


def parse(text: str) -> LabelChange:
    """`y 12 13 20`: a letter (`-` removes labels), then page numbers. Raises CrawlRefused."""
    letter, *numbers = text.replace(",", " ").split() or [""]
    if letter not in LETTERS or not numbers:
        raise CrawlRefused("labels", "Give y, n or -, then the numbers of pages: y 12 13 20.")
    if len(numbers) > MOST:
        raise CrawlRefused("labels", f"Label at most {MOST:,} pages at once.")
    wrong = [each for each in numbers if not (each.isascii() and each.isdigit())]
    if wrong or any(len(each) > 9 for each in numbers):
        raise CrawlRefused("labels", f"{(wrong or numbers)[0][:20]} is not a page number.")
    return LabelChange(LETTERS[letter], tuple(dict.fromkeys(map(int, numbers))))


def label_all(crawl: Crawl, labels: LabelChange, by: Person = None) -> list[str]:
    """Labels the pages that can be, and returns a sentence for each page that cannot. Retrains
    after five new labels."""
    refused = give_labels(crawl, labels, by)
    learn(crawl, by)
    return refused


def learn(crawl: Crawl, by: Person = None) -> None:
    """Retrains the crawl if it has five labels that it has not learned from."""
    _retrain_after_enough(crawl, None, by)


def give_labels(crawl: Crawl, labels: LabelChange, by: Person = None) -> list[str]:
    """Labels the pages that can be, and returns a sentence for each page that cannot; the crawl
    does not learn from them yet."""
    refused = []
    with _send_changes(crawl, labels.pages, by):
        for seq in labels.pages:
            try:
                _set(crawl, seq, labels.relevant, by)
            except CrawlRefused as refusal:
                refused.append(f"{_title(crawl, seq)}: {refusal.message}")
    return refused


def _title(crawl: Crawl, seq: int) -> str:
    """The page's title, by default its address; its number if there is no such page."""
    page = crawl.pages_fetched.filter(seq=seq).only("crawl", "title", "final_url").first()
    return f"“{page.title or page.final_url}”" if page else f"Page {seq:,}"


def go_back(
    crawl: Crawl, wanted: Collection[int], held: Collection[int], by: Person = None
) -> None:
    """Restores a person's labels `wanted` instead of `held`, for an undo; later ones stay, and
    those of others.

    Raises CrawlRefused if nothing would change.
    """
    theirs = crawl.labels.filter(settlement=None)
    if by is not None:
        theirs = theirs.filter(Q(by=by) | Q(by=None))
    back = theirs.filter(pk__in=set(held) - set(wanted), undone_at=None)
    again = theirs.filter(pk__in=wanted).exclude(undone_at=None)
    seqs = [each.seq for each in (*back, *again)]
    if not seqs and crawl.labels.filter(pk__in=set(held) - set(wanted), undone_at=None).exists():
        raise CrawlRefused("labels", "These are labels of others: only they can take them back.")
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        with _send_changes(crawl, seqs, by):
            for each in back:
                _withdraw(crawl, each, Page.every.get(crawl=crawl, seq=each.seq))
            taken = set(in_force(crawl).filter(settlement=None).values_list("seq", "by"))
            for each in again:
                if (each.seq, each.by_id) not in taken:
                    _give_again(crawl, each)
    retrain(crawl, by)


def labels_of(crawl: Crawl, seqs: Collection[int], by: Person = None) -> dict[int, bool]:
    """A person's labels in force of some pages."""
    labels = in_force(crawl).filter(seq__in=seqs, by=by, settlement=None)
    return dict(labels.values_list("seq", "relevant"))


def _send_changes(crawl: Crawl, seqs: Collection[int], by: Person) -> AbstractContextManager[None]:
    pages = crawl.pages_fetched.filter(seq__in=seqs)
    urls = pages.values_list("final_url", flat=True)
    return send_changes(crawl, {digest(url) for url in urls}, by)


def labels_before(crawl: Crawl, before: int) -> dict[int, bool]:
    """The labels that counted when page `before` was chosen, by the numbers of their pages."""
    labels: dict[int, bool] = {}
    for event in crawl.events.filter(kind=HEEDED, pages__lt=before).order_by("seq"):
        for seq, _, _, relevant in event.payload["labels"]:
            labels.pop(seq, None)
            if relevant is not None:
                labels[seq] = relevant
    return labels


def _given_words(payload: Payload) -> str:
    """`page 12: y`; of several pages `3 y, 2 n, 1 taken back`. The answers are hidden where
    somebody labels without seeing them."""
    if payload.get("hidden"):
        pages = [seq for seq, *_ in payload["labels"]]
        return f"page {pages[0]:,}" if len(pages) == 1 else f"{len(pages):,} pages"
    labels = [(seq, LABEL_WORDS[relevant]) for seq, _, _, relevant in payload["labels"]]
    if len(labels) == 1:
        return f"page {labels[0][0]:,}: {labels[0][1]}"
    counts = Counter(letter for _, letter in labels)
    return ", ".join(
        f"{counts[letter]:,} {letter}" for letter in LABEL_WORDS.values() if counts[letter]
    )


def _retrain_after_enough(crawl: Crawl, relevant: bool | None, by: Person) -> Labelled:
    waiting = pending(crawl)
    if waiting < ENOUGH:
        return Labelled(relevant, waiting, False)
    retrain(crawl, by)
    return Labelled(relevant, 0, True)


def _set(
    crawl: Crawl,
    seq: int,
    relevant: bool | None,
    by: Person,
    kind: Label.Purpose = Label.Purpose.PICKED,
    note: str = "",
) -> None:
    """Replaces a person's label of a page with this one; None removes it."""
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        page = crawl.pages_fetched.filter(seq=seq).first()
        if page is None:
            raise CrawlRefused("page", f"The crawl has no page {seq}.")
        present = in_force(crawl).filter(seq=seq, by=by, settlement=None).first()
        if present is not None and present.relevant == relevant:
            return
        if present is not None:
            Label.objects.filter(pk=present.pk).update(undone_at=timezone.now())
        if relevant is not None:
            _give(crawl, page, relevant, by, kind, note)
        follow_labels(crawl, page)


def _give(
    crawl: Crawl, page: Page, relevant: bool, by: Person, kind: Label.Purpose, note: str
) -> None:
    address = digest(page.final_url)
    Label.objects.create(
        crawl=crawl,
        seq=page.seq,
        address=address,
        relevant=relevant,
        by=by,
        kind=kind,
        note=storable(note)[:LONGEST_NOTE],
    )
    carry_settlement(crawl, page.seq, address)


def _give_again(crawl: Crawl, label: Label) -> None:
    Label.objects.filter(pk=label.pk).update(undone_at=None)
    follow_labels(crawl, Page.every.get(crawl=crawl, seq=label.seq))


def _withdraw(crawl: Crawl, label: Label, page: Page) -> None:
    Label.objects.filter(pk=label.pk).update(undone_at=timezone.now())
    follow_labels(crawl, page)


def _act(crawl: Crawl, value: str, by: Person) -> str:
    labels = parse(value)
    refused = label_all(crawl, labels, by)
    number = len(labels.pages) - len(refused)
    if not number:
        raise CrawlRefused("labels", _first(refused))
    what = "Labels taken back" if labels.relevant is None else "Labels given"
    return " ".join([f"{what}: {number:,}.", _first(refused)]).strip()


def _first(refused: Sequence[str]) -> str:
    """The first three refusals, and the number of the others."""
    more = [f"So are {len(refused) - 3:,} more."] if len(refused) > 3 else []
    return " ".join([*refused[:3], *more])


def _words(payload: Payload) -> str:
    """`with 11 y and 3 n; F1 0.71 → 0.84; 41,870 links scored anew in 1.9 s`."""
    withdrawn = payload.get("withdrawn", 0)
    counts = f"with {payload.get('yes', 0):,} y and {payload.get('no', 0):,} n"
    parts = [counts + (f", {withdrawn:,} taken back" if withdrawn else "")]
    quality = payload.get("quality") or {}
    if quality.get("before") and quality.get("after"):
        f1 = (quality[moment]["f1"]["mean"] for moment in ("before", "after"))
        parts.append("cross-validated F1 {:.2f} → {:.2f}".format(*f1))
    if "rescored" in payload:
        parts.append(f"{payload['rescored']:,} links scored anew in {payload['seconds']:.1f} s")
    return "; ".join(parts)


def _stands(crawl: Crawl, payload: Payload) -> bool:
    """Whether no other labels have been learned, or are queued to be, since."""
    last = crawl.changes.filter(kind=KIND).order_by("-id").first()
    before = payload.get("labels") if last is None else last.payload["labels"]
    return "before" in payload and before == payload.get("labels")


def _undo(crawl: Crawl, payload: Payload, by: Person) -> None:
    before = payload.get("given_before", payload["before"])
    go_back(crawl, before, payload.get("given", payload["labels"]), by)


LABEL = Command(
    name="label",
    title="Label pages",
    does="Labels pages as on the topic or not; each becomes an example of the topic and counts at"
    " once for the links beside it and for estimated recall. The models learn from them after"
    " five.",
    act=_act,
    value="y, n or - (no label), then page numbers: y 12 13 20",
    events=(
        EventKind(
            HEEDED,
            "Label counted",
            _given_words,
            apply=lambda steering, p: steering.count_labels(p["labels"]),
        ),
        EventKind(
            KIND,
            "Labels retrained the classifier",
            _words,
            letter="L",
            undo=Undo(about=lambda payload: KIND, stands=_stands, carry_out=_undo),
        ),
    ),
)
