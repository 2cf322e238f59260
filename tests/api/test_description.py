"""The OpenAPI description is complete."""

from __future__ import annotations

from apps.api.description import complete_description
from tests.api.openapi import SCHEMA

OPERATIONS = [each for path in SCHEMA["paths"].values() for each in path.values()]


def test_every_operation_names_its_refusals() -> None:
    assert len(OPERATIONS) > 100
    for operation in OPERATIONS:
        answers = {str(status) for status in operation["responses"]}
        assert "401" in answers, operation["operationId"]
        sends_json = "application/json" in operation.get("requestBody", {}).get("content", {})
        assert not sends_json or {"400", "422"} <= answers, operation["operationId"]
        assert not operation.get("parameters") or "422" in answers, operation["operationId"]


def test_no_default_is_an_object() -> None:
    models = SCHEMA["components"]["schemas"].values()
    fields = [field for model in models for field in model.get("properties", {}).values()]
    assert not [field for field in fields if isinstance(field.get("default"), dict)]
    assert [field for field in fields if field.get("default")]


def test_a_field_may_be_named_default() -> None:
    model = {"properties": {"default": {"type": "object", "default": {"a": 1}}}}
    schema = {"paths": {}, "components": {"schemas": {"Model": model}}}
    complete_description(schema)
    assert model == {"properties": {"default": {"type": "object"}}}
