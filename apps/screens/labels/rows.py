"""The rows of pages that people label differently, have settled, or should both label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from apps.agreement.answers import PageAnswers
from apps.agreement.tables import stored_pages
from apps.collection.indexing.reading import main_texts
from apps.crawls.models import Label, Page

EXCERPT = 220


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A labelled page on the screen: its title and beginning, the people's labels by name, and how
    many waiting links it moves."""

    answers: PageAnswers
    page: Page
    title: str
    excerpt: str
    labels: tuple[tuple[User, Label], ...]
    moves: int = 0


def labelled_rows(
    pages: Sequence[PageAnswers],
    people: Sequence[User],
    moves: Sequence[int] = (),
    stored: Mapping[int, Page] | None = None,
) -> list[LabelledRow]:
    """The rows of pages, in their order, without those whose crawl was deleted meanwhile; `stored`
    are the pages by address, by default those of their newest labels."""
    stored = stored_pages(pages) if stored is None else stored
    texts = main_texts([page.pk for page in stored.values()], with_blocks=True)
    shown = []
    for number, each in enumerate(pages):
        if (page := stored.get(each.address)) is None:
            continue
        read = texts.get(page.pk)
        shown.append(
            LabelledRow(
                each,
                page,
                (read and read.title) or page.title,
                " ".join(read.text[: 2 * EXCERPT].split())[:EXCERPT] if read else "",
                tuple((who, each.labels[who.pk]) for who in people if who.pk in each.labels),
                moves[number] if moves else 0,
            )
        )
    return shown
