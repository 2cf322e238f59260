"""Errors as JSON: `{"field", "message"}`; the field is empty if no single one is wrong."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError

from apps.engine.errors import EngineError
from apps.schemas.input import Refused
from apps.topics.definition.topic_file import BadTopicFile
from apps.webs.importing import WebRefused
from apps.webs.messages import error_words

NO_ENTRY = (
    "Send a token from your account page: Authorization: Bearer cs_… (or sign in with a browser)."
)
NOT_THERE = "There is no such thing, or it belongs to another person."


TOO_LARGE = "JSON may have up to 20 MB: upload anything larger as a file."
NO_OPERATION = "The API has no such address; /help/api/ lists them all."


class Refusal(Schema):
    """Why a request was refused."""

    field: str
    message: str


def answer_refusals(api: NinjaAPI) -> None:
    """Registers the handlers: 401, 403, 404, 409 for a conflict with the state, else 422."""

    def refuse(request: HttpRequest, status: int, field: str, message: str) -> HttpResponse:
        body = {"field": field, "message": message}
        return api.create_response(request, body, status=status)

    def refused(request: HttpRequest, error: Any) -> HttpResponse:
        status = 409 if error.field == "state" else 422
        return refuse(request, status, error.field, error.message)

    api.add_exception_handler(Refused, refused)
    api.add_exception_handler(
        BadTopicFile, lambda request, error: refuse(request, 422, "topic", str(error))
    )
    api.add_exception_handler(
        WebRefused, lambda request, error: refuse(request, 409, "", str(error))
    )
    api.add_exception_handler(
        EngineError, lambda request, error: refuse(request, 422, "", error_words(error))
    )
    api.add_exception_handler(
        Http404, lambda request, error: refuse(request, 404, "", NOT_THERE)
    )
    api.add_exception_handler(
        RequestDataTooBig, lambda request, error: refuse(request, 413, "", TOO_LARGE)
    )
    api.add_exception_handler(
        AuthenticationError, lambda request, error: refuse(request, 401, "", NO_ENTRY)
    )
    api.add_exception_handler(
        HttpError, lambda request, error: refuse(request, error.status_code, "", _said(error))
    )
    api.add_exception_handler(
        ValidationError, lambda request, error: refuse(request, 422, *_first(error))
    )


@csrf_exempt
@login_not_required
def not_there(request: HttpRequest) -> HttpResponse:
    """The answer at an address without an operation."""
    return JsonResponse({"field": "", "message": NO_OPERATION}, status=404)


def _said(error: HttpError) -> str:
    if error.status_code == 403:
        return "The CSRF token is missing or wrong; programs send an API token instead."
    return f"{str(error).rstrip('.')}."


def _first(error: ValidationError) -> tuple[str, str]:
    """The field and the message of the first error."""
    wrong = error.errors[0]
    named = [place for place in wrong.get("loc", ()) if isinstance(place, str)]
    places = [place for place in named if place not in ("body", "query")]
    field = ".".join(places[1:] if len(places) > 1 and places[0] in _BODIES else places)
    return field, f"{wrong.get('msg', 'This value is not accepted')}."


# The names of the operations' parameters for the object that is sent.
_BODIES = frozenset({"sent", "wanted", "path"})
