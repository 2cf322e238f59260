"""Responses for browsers and for scripts."""

from __future__ import annotations

from typing import Any

from django.http import JsonResponse

from apps.accounts.requests import SignedInRequest


def wants_json(request: SignedInRequest) -> bool:
    """Whether a script asks, not a browser."""
    return bool(request.accepts("application/json")) and not request.accepts("text/html")


def attached(name: str) -> dict[str, str]:
    """The headers of a download under that name, which may differ the next time."""
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}


def json_file(data: dict[str, Any], name: str) -> JsonResponse:
    """A download of plain values."""
    return JsonResponse(
        data, headers=attached(name), json_dumps_params={"ensure_ascii": False, "indent": 1}
    )
