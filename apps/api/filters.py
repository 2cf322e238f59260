"""Searches of lists as parameters of the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, get_origin

from ninja import Schema
from pydantic import Field, create_model

from apps.accounts.requests import SignedInRequest
from apps.schemas.misread import refuse_first
from apps.search.filter import Field as Parameter
from apps.search.search import LONGEST, Search

Asked = TypeVar("Asked", bound=Search)


def with_search(search: type[Search]) -> Callable[[type[Schema]], type[Schema]]:
    """Adds the words, the filters and the order of a list to a schema."""

    def add(schema: type[Schema]) -> type[Schema]:
        filters = [field for filter in search.catalogue() for field in filter.fields]
        fields: dict[str, Any] = {
            "q": (str, Field("", max_length=LONGEST, description=_language(search))),
            **{field.name: _parameter(field) for field in filters},
            "order": (str | None, Field(None, description=f"{_orders(search)}.")),
        }
        made: type[Schema] = create_model(
            schema.__name__, __base__=schema, __doc__=schema.__doc__, **fields
        )
        return made

    return add


def check_search(request: SignedInRequest, search: Asked) -> Asked:
    """The search of a request. Raises SearchRefused if a value cannot be understood."""
    refuse_first(search.misread(request.GET))
    return search


def _language(search: type[Search]) -> str:
    prefixes = "".join(f", {prefix}:" for prefix in search.prefixes)
    return f'Words, "phrases", OR, NEAR/5, -without, sour*{prefixes}.'


def _orders(search: type[Search]) -> str:
    return ", ".join(filter(None, search.orders))


def _parameter(field: Parameter) -> tuple[Any, Any]:
    several = get_origin(field.type) is list
    return field.type, Field([] if several else None, description=field.description)
