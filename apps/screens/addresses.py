"""Addresses whose parameters are the fields of a dataclass."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def query_string(address: DataclassInstance) -> str:
    """The fields as a query string, without the empty ones."""
    values = {field.name: getattr(address, field.name) for field in fields(address)}
    return urlencode({name: value for name, value in values.items() if value})
