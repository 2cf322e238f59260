"""Which crawls to compare, as given in an address, a request or a command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.http import Http404

from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_crawls
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused

LEAST, MOST = 2, 8
FIELD = "crawls"
_LONGEST = 40


def read_numbers(texts: Iterable[str]) -> tuple[int, ...]:
    """The distinct numbers of crawls in texts such as `12,7`, in their order.

    Raises Refused for anything that is not a number, with or without a #.
    """
    words = [word.strip().lstrip("#") for text in texts for word in text.split(",")]
    numbers = []
    for word in filter(None, words):
        number = whole_number(word)
        if number is None:
            cut = f"{word[:_LONGEST]}…" if len(word) > _LONGEST else word
            raise Refused(FIELD, f"“{cut}” is not the number of a crawl.")
        numbers.append(number)
    return tuple(dict.fromkeys(numbers))


def refuse_wrong_number(numbers: Sequence[int]) -> None:
    """Raises Refused for fewer than two crawls or more than eight."""
    if not LEAST <= len(numbers) <= MOST:
        given = "none" if not numbers else f"{len(numbers):,}"
        raise Refused(FIELD, f"Give {LEAST} to {MOST} crawls to compare; you gave {given}.")


def chosen_crawls(person: User, numbers: Sequence[int]) -> tuple[Crawl, ...]:
    """The crawls with these keys, in their order.

    Raises Refused for a wrong number of them, Http404 if the person may not see one of them.
    """
    refuse_wrong_number(numbers)
    rows = visible_crawls(person).filter(pk__in=numbers).select_related("snapshot")
    crawls = {crawl.pk: crawl for crawl in rows}
    if missing := [number for number in numbers if number not in crawls]:
        raise Http404(f"#{missing[0]}")
    return tuple(crawls[number] for number in numbers)
