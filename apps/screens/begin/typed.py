"""Reads the form of a new topic into its draft."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import QueryDict

from apps.accounts.requests import SignedInRequest
from apps.begin.drafts import Typed, lock_draft
from apps.begin.models import Draft
from apps.schemas.numbers import whole_number
from apps.screens.lists.schemas import TAKEN_AS
from apps.screens.topic.languages_widget import sent_languages
from apps.topics.definition.lines import read_keywords, storable
from apps.topics.definition.reading import LISTS
from apps.webs.selectors import recorded_webs

MOST_TEXT = 10_000
MOST_LIST = 4_000_000
MOST_WORDS = 200
MOST_TOKEN = 64
FIELDS = frozenset(
    "csrfmiddlewaretoken draft_key form_token draft description keywords seeds name language"
    " language_also removed rather_not phrases web start save awaited pasted".split()
)
"""Fields of this form; all others are those of the full form, carried along."""
FURTHER_LISTS = tuple(name for name in TAKEN_AS if name != "seeds")
"""Lists of the full form that a file may be taken as here too."""


def read_typed(request: SignedInRequest) -> Typed:
    """The values of the form; a web that the person may not read counts as the live Web."""
    sent = request.POST
    key = whole_number(sent.get("web", "")) or 0
    return Typed(
        sentence=storable(sent.get("description", ""))[:MOST_TEXT].strip(),
        words=tuple(word[:200] for word in read_keywords(sent.get("keywords", ""))[:MOST_WORDS]),
        addresses=storable(sent.get("seeds", ""))[:MOST_LIST],
        name=" ".join(storable(sent.get("name", "")).split())[:200],
        language=sent_languages(sent)[:20],
        removed=_lines(sent, "removed"),
        rather_not=_lines(sent, "rather_not"),
        phrases=_lines(sent, "phrases"),
        web=recorded_webs(request.user).filter(pk=key).first(),
    )


def draft_of(request: SignedInRequest, typed: Typed) -> Draft:
    """The person's draft that the form names by its key or its token, locked until the transaction
    ends; it has a topic if what was typed was sent before."""
    key = whole_number(request.POST.get("draft", "")) or 0
    form_token = storable(request.POST.get("form_token", ""))[:MOST_TOKEN]
    return lock_draft(request.user, key, form_token, typed)


def carried(sent: QueryDict) -> list[tuple[str, str]]:
    """The fields of the full form, which this one has not."""
    return [
        (name, value)
        for name, values in sent.lists()
        for value in values
        if name not in (*FIELDS, *FURTHER_LISTS) and value
    ]


def further_lists(sent: QueryDict) -> Mapping[str, str]:
    """The lists of the full form."""
    texts = {name: str(sent.get(name, "")) for name in LISTS if name != "seeds"}
    return {name: text for name, text in texts.items() if text}


def _lines(sent: QueryDict, name: str) -> tuple[str, ...]:
    lines = (" ".join(line.split())[:200] for line in storable(sent.get(name, "")).splitlines())
    return tuple(dict.fromkeys(filter(None, lines)))[:MOST_WORDS]
