"""Completes the OpenAPI description, so that clients of every operation can be generated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

REFUSAL = {"$ref": "#/components/schemas/Refusal"}
ANSWERS = {
    "400": "The body is not JSON.",
    "401": "There is no valid token and no session.",
    "422": "A value is wrong; `field` names it.",
}


def complete_description(schema: dict[str, Any]) -> None:
    """Adds the refusals that parameters and body make possible, unless the operation names them
    itself, and takes away defaults that are objects: generators make no operation of a model that
    has one, and a program that sends nothing gets the same."""
    for operation in _operations(schema):
        has_body = "application/json" in operation.get("requestBody", {}).get("content", {})
        takes_values = has_body or "requestBody" in operation or operation.get("parameters")
        possible = {"400": has_body, "401": bool(operation.get("security")), "422": takes_values}
        for status, is_possible in possible.items():
            if is_possible:
                operation["responses"].setdefault(status, _answer(ANSWERS[status]))
    for model in schema.get("components", {}).get("schemas", {}).values():
        _drop_object_defaults(model)


def _operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in schema["paths"].values():
        yield from path.values()


def _answer(words: str) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": REFUSAL}}}


def _drop_object_defaults(node: Any) -> None:
    if isinstance(node, list):
        for each in node:
            _drop_object_defaults(each)
    if not isinstance(node, dict):
        return
    if isinstance(node.get("default"), dict):
        del node["default"]
    for name, each in node.items():
        # The keys of `properties` are names of the model, one of which may be “default”.
        for below in each.values() if name == "properties" else (each,):
            _drop_object_defaults(below)
