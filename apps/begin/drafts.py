"""Drafts as they were typed: written, locked while a topic is made of them, and told from others by
the token of their form or a key."""

from __future__ import annotations

from dataclasses import dataclass, fields
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction

from apps.begin.models import Draft
from apps.schemas.refused import Refused
from apps.webs.models import Web

KEY_IS_USED = "A topic of other words began with this key. Send another key for another topic."
TYPED_FIELDS = (
    "sentence addresses words name language removed rather_not phrases web changed_at".split()
)
"""The fields of a draft that the person writes."""


class BeginRefused(Refused):
    """A draft cannot be started like this; `field` and `message` name the fault."""


@dataclass(frozen=True, slots=True)
class Typed:
    """The values of the form, as they were read."""

    sentence: str = ""
    words: tuple[str, ...] = ()
    addresses: str = ""
    name: str = ""
    language: str = ""
    removed: tuple[str, ...] = ()
    rather_not: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    web: Web | None = None


def write_draft(owner: User, typed: Typed, draft: Draft | None = None) -> Draft:
    """The draft with what was typed; a new one without `draft`."""
    draft = draft or Draft(owner=owner)
    _fill(draft, typed)
    # The job writes the other fields at the same time.
    draft.save(update_fields=TYPED_FIELDS if draft.pk else None)
    return draft


def _fill(draft: Draft, typed: Typed) -> None:
    draft.sentence, draft.addresses = typed.sentence, typed.addresses
    draft.words, draft.name, draft.language = list(typed.words), typed.name, typed.language
    draft.removed, draft.rather_not = list(typed.removed), list(typed.rather_not)
    draft.phrases, draft.web = list(typed.phrases), typed.web


def lock_draft(owner: User, key: int, form_token: str, typed: Typed) -> Draft:
    """The draft of a form, by its key or its token, locked until the transaction ends; it has a
    topic if what the form says was sent before, also at this moment.

    A form that was changed after a topic was made of it begins another draft.
    """
    drafts = Draft.objects.select_for_update().filter(owner=owner)
    draft = drafts.filter(pk=key).first() or _draft_of_form(owner, form_token)
    if draft.topic_id is None or _is_of(draft, typed):
        return draft
    sent = [getattr(typed, each.name) for each in fields(Typed)]
    text = f"{form_token} {draft.pk} {sent}"
    return _draft_of_form(owner, sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


def write_keyed_draft(owner: User, typed: Typed, key: str) -> Draft:
    """The draft of a request with a key of its sender's choice, with what was sent; it has a topic
    if the same was sent before. Raises BeginRefused if other words began with the key."""
    token = sha256(f"key {key}".encode("utf-8", "surrogatepass")).hexdigest()
    with transaction.atomic():
        draft = _draft_of_form(owner, token)
        if draft.topic_id is not None or draft.starts_itself:
            check_same(draft, typed)
            return draft
        return write_draft(owner, typed, draft)


def check_same(draft: Draft, typed: Typed) -> None:
    """Raises BeginRefused unless that is what the draft began with."""
    if not _is_of(draft, typed):
        raise BeginRefused("Idempotency-Key", KEY_IS_USED)


def _draft_of_form(owner: User, form_token: str) -> Draft:
    if not form_token:
        return Draft(owner=owner)
    # A second one waits here for the first one's transaction, and then gets its draft.
    Draft.objects.get_or_create(owner=owner, form_token=form_token)
    return Draft.objects.select_for_update().get(owner=owner, form_token=form_token)


def _is_of(draft: Draft, typed: Typed) -> bool:
    """Whether that was typed of which the draft was made."""
    sent = Draft(owner=draft.owner)
    _fill(sent, typed)
    return all(getattr(draft, name) == getattr(sent, name) for name in TYPED_FIELDS[:-1])
