"""The description of the API: computed once for all tests, since it takes a second."""

from __future__ import annotations

from apps.api.main import api

SCHEMA = api.get_openapi_schema()
