"""The API reference, generated from its OpenAPI description."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest
from django.urls import resolve, reverse

Schema = Mapping[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class FieldDescription:
    """A parameter, or a key of a request or response, with its type in words."""

    name: str
    type: str
    required: bool
    words: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. `sent` and `answered` are the keys of the JSON objects, `example` a request
    with its required keys and `answer` a response with all keys, as JSON made from the types;
    `statuses` the possible responses."""

    id: str
    method: str
    path: str
    summary: str
    words: str
    parameters: tuple[FieldDescription, ...]
    sent: tuple[FieldDescription, ...]
    sent_words: str
    answered: tuple[FieldDescription, ...]
    answered_words: str
    statuses: tuple[str, ...]
    example: str
    answer: str


@dataclass(frozen=True, slots=True)
class ResourceOperations:
    """The operations of one resource."""

    name: str
    operations: tuple[Operation, ...]


@cache
def reference() -> tuple[ResourceOperations, ...]:
    """Every operation by resource, in the order of registration; read once in a process."""
    schema = _schema()
    reader = _Reader(schema.get("components", {}).get("schemas", {}))
    groups: dict[str, list[Operation]] = {}
    for path, operations in schema["paths"].items():
        for method in METHODS:
            if method in operations:
                operation_of_path = reader.operation(path, method, operations[method])
                groups.setdefault(operations[method]["tags"][0], []).append(operation_of_path)
    return tuple(ResourceOperations(name, tuple(operations)) for name, operations in groups.items())


def _schema() -> Schema:
    """The API's OpenAPI description."""
    request = HttpRequest()
    request.method = "GET"
    address = reverse("api:openapi-json")
    schema: Schema = json.loads(resolve(address).func(request).content)
    return schema


class _Reader:
    """Reads operations, following references into the schemas."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._schemas = schemas

    def operation(self, path: str, method: str, described: Schema) -> Operation:
        body = _json_schema(described.get("requestBody", {}))
        answers = described.get("responses", {})
        good: dict[str, Any] = next((answers[s] for s in answers if str(s).startswith("2")), {})
        answer = _json_schema(good)
        return Operation(
            id=described["operationId"].removeprefix("apps_api_"),
            method=method.upper(),
            path=path,
            summary=described.get("summary", ""),
            words=" ".join(described.get("description", "").split()),
            parameters=tuple(self._parameters(described.get("parameters", ()))),
            sent=tuple(self._fields(body)),
            sent_words=self._words(body),
            answered=tuple(self._fields(answer)),
            answered_words=self._words(answer),
            statuses=tuple(sorted(str(status) for status in answers)),
            example=self._example(body),
            answer=self._answer(answer),
        )

    def _parameters(self, parameters: Any) -> Iterator[FieldDescription]:
        for parameter in parameters:
            schema = parameter.get("schema", {})
            words = parameter.get("description") or schema.get("description", "")
            location = " (in the path)" if parameter.get("in") == "path" else ""
            yield FieldDescription(
                parameter["name"],
                self._type(schema) + location,
                parameter.get("required", False),
                words,
            )

    def _fields(self, schema: Schema) -> Iterator[FieldDescription]:
        """The keys of an object; of a list, those of its items."""
        whole = self._resolved(schema)
        if whole.get("type") == "array":
            whole = self._resolved(whole.get("items", {}))
        required = set(whole.get("required", ()))
        for name, part in whole.get("properties", {}).items():
            words = part.get("description", "")
            yield FieldDescription(name, self._type(part), name in required, words)

    def _words(self, schema: Schema) -> str:
        whole = self._resolved(schema)
        prefix = ""
        if whole.get("type") == "array":
            prefix, whole = "A list. ", self._resolved(whole.get("items", {}))
        return prefix + " ".join(whole.get("description", "").split())

    def _resolved(self, schema: Schema) -> Schema:
        """The schema with references followed, and `X or null` reduced to X."""
        if "$ref" in schema:
            return self._resolved(self._schemas[schema["$ref"].rpartition("/")[2]])
        options = [o for o in schema.get("anyOf", ()) if o.get("type") != "null"]
        return self._resolved(options[0]) if len(options) == 1 else schema

    def _type(self, schema: Schema) -> str:
        if "$ref" in schema:
            whole = self._resolved(schema)
            return self._type(whole) if "enum" in whole else schema["$ref"].rpartition("/")[2]
        if "anyOf" in schema:
            return " or ".join(dict.fromkeys(map(self._type, schema["anyOf"])))
        if "enum" in schema:
            return ", ".join(map(str, schema["enum"]))
        if "const" in schema:
            return str(schema["const"])
        kind = str(schema.get("type", "anything"))
        if kind == "array":
            return f"list of {self._type(schema.get('items', {}))}"
        if schema.get("format") == "date-time":
            return "time, ISO 8601"
        if _is_file(schema):
            return "file"
        return _KINDS.get(kind, kind)

    def _example(self, schema: Schema) -> str:
        whole = self._resolved(schema)
        if not whole.get("properties"):
            return ""
        if any(_is_file(self._resolved(part)) for part in whole["properties"].values()):
            return " ".join(
                f"-F {name}={'@FILE' if _is_file(self._resolved(part)) else '…'}"
                for name, part in whole["properties"].items()
            )
        required = set(whole.get("required", ()))
        body = {
            name: _sample(self._resolved(part))
            for name, part in whole["properties"].items()
            if name in required
        }
        return json.dumps(body or {}, ensure_ascii=False)

    def _answer(self, schema: Schema) -> str:
        """An example response of that schema, indented; empty if it has no JSON."""
        return json.dumps(self._filled(schema), ensure_ascii=False, indent=2) if schema else ""

    def _filled(self, schema: Schema, above: tuple[str, ...] = ()) -> Any:
        """A value with every key; an object within one of its own type is left empty."""
        reference = schema.get("$ref", "")
        if reference in above:
            return {}
        if reference:
            above = (*above, reference)
        whole = self._resolved(schema)
        if "examples" in whole:
            return whole["examples"][0]
        if "properties" in whole:
            return {name: self._filled(part, above) for name, part in whole["properties"].items()}
        if whole.get("type") == "array":
            return [self._filled(whole.get("items", {}), above)]
        if len(options := whole.get("anyOf", ())) > 1:
            return self._filled(options[0], above)
        return _sample(whole)


_KINDS = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "true/false",
    "object": "object",
    "null": "null",
    "array": "list",
}
_SAMPLES = {"integer": 1, "number": 0.5, "string": "…", "boolean": True, "array": [], "object": {}}


def _is_file(schema: Schema) -> bool:
    return bool(schema.get("format") == "binary")


def _sample(schema: Schema) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("format") == "date-time":
        return "2026-05-01T12:00:00Z"
    return _SAMPLES.get(str(schema.get("type", "string")), "…")


def _json_schema(part: Schema) -> Schema:
    """The object of a request or response; the fields of the form if a file is sent."""
    content = part.get("content", {})
    form = content.get("multipart/form-data", {})
    schema: Schema = content.get("application/json", form).get("schema", {})
    return schema
