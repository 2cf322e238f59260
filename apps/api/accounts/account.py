"""The account of a request."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from ninja import Router, Schema

from apps.accounts.requests import SignedInRequest

router = Router(tags=["account"])


class Account(Schema):
    """The account that the token or the session belongs to, and this installation's version."""

    name: str
    administrator: bool
    version: str


@router.get("", response=Account, summary="Show your account")
def show_account(request: SignedInRequest) -> Any:
    """Use it to try a token."""
    user = request.user
    return {
        "name": user.get_username(),
        "administrator": user.is_superuser,
        "version": settings.VERSION,
    }
