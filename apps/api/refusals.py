"""Errors as JSON: `{"field", "message"}`; the field is empty if no single one is wrong."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationErrorContext
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from pydantic import BaseModel

from apps.api.description import complete_description
from apps.engine.errors import EngineError
from apps.schemas.input import refusal
from apps.schemas.misread import SearchRefused
from apps.schemas.refused import Refused
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


class BadRequest(Refused):
    """The request does not match its schema, whatever the state of the things it is about."""


class Api(NinjaAPI):
    """Refuses a request with the sentences of its schema, as forms and commands do.

    An operation's id is made of its module's own name, without the folder, and its function's.
    """

    def get_openapi_operation_id(self, operation: Operation) -> str:
        view = operation.view_func
        return f"apps_api_{view.__module__.rpartition('.')[2]}_{view.__name__}"

    def get_openapi_schema(self, **values: Any) -> OpenAPISchema:
        """The description, with what any operation may answer, and without defaults that generators
        of clients cannot read."""
        schema = super().get_openapi_schema(**values)
        complete_description(schema)
        return schema

    def validation_error_from_error_contexts(  # type: ignore[override]
        self, error_contexts: list[ValidationErrorContext[Any]]
    ) -> BadRequest:
        context = error_contexts[0]
        refused = refusal(context.model, context.pydantic_validation_error)
        name, _, within = refused.field.partition(".")
        # A header has its own name, which is no field's.
        field = context.model.model_fields.get(name)
        sent = field.annotation if field is not None else None
        # What an operation calls the object that is sent is nobody's field.
        is_object = isinstance(sent, type) and issubclass(sent, BaseModel)
        return BadRequest(within if is_object else refused.field, refused.message)


def answer_refusals(api: NinjaAPI) -> None:
    """Registers the handlers: 401, 403, 404, 409 for a conflict with the state, else 422."""

    def refuse(request: HttpRequest, status: int, field: str, message: str) -> HttpResponse:
        body = {"field": field, "message": message}
        return api.create_response(request, body, status=status)

    def refused(request: HttpRequest, error: Any) -> HttpResponse:
        in_the_way = error.field == "state" and not isinstance(error, BadRequest | SearchRefused)
        status = 409 if in_the_way else 422
        return refuse(request, status, error.field, error.message)

    api.add_exception_handler(Refused, refused)
    api.add_exception_handler(
        WebRefused, lambda request, error: refuse(request, 409, "", str(error))
    )

    def refused_by_the_engine(request: HttpRequest, error: Any) -> HttpResponse:
        return refuse(request, 422, "", error_words(error))

    def http_error(request: HttpRequest, error: Any) -> HttpResponse:
        return refuse(request, error.status_code, "", _sentence_of(error))

    api.add_exception_handler(EngineError, refused_by_the_engine)
    api.add_exception_handler(Http404, lambda request, error: refuse(request, 404, "", NOT_THERE))
    api.add_exception_handler(
        RequestDataTooBig, lambda request, error: refuse(request, 413, "", TOO_LARGE)
    )
    api.add_exception_handler(
        AuthenticationError, lambda request, error: refuse(request, 401, "", NO_ENTRY)
    )
    api.add_exception_handler(HttpError, http_error)


@csrf_exempt
@login_not_required
def not_there(request: HttpRequest) -> HttpResponse:
    """The answer at an address without an operation."""
    return JsonResponse({"field": "", "message": NO_OPERATION}, status=404)


def _sentence_of(error: HttpError) -> str:
    if error.status_code == 403:
        return "The CSRF token is missing or wrong; programs send an API token instead."
    return f"{str(error).rstrip('.')}."
