"""Tokens of forms, so that a form sent twice makes one thing."""

from __future__ import annotations

import hashlib
import secrets

from django.http import QueryDict

LENGTH = 40


def new_form_token() -> str:
    """The token of a form that is shown for the first time."""
    return secrets.token_hex(16)


def form_token(sent: QueryDict) -> str:
    """The token of what was sent: the same only for the same form with the same contents; empty
    for a form without a token."""
    if not sent.get("form_token"):
        return ""
    pairs = sorted((name, sent.getlist(name)) for name in sent if name != "csrfmiddlewaretoken")
    return hashlib.sha256(repr(pairs).encode()).hexdigest()[:LENGTH]
