"""The base of the schemas: strict types, no unknown names, and a sentence for each error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

LONGEST_TEXT = 2_000


class Refused(Exception):
    """Input that a schema refuses; `field` and `message` say what is wrong and what to give."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


class Input(BaseModel):
    """An object as it is sent. Types are strict ("5" is not a number), and unknown names are
    refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @classmethod
    def read(cls, values: Any) -> Self:
        """The checked object. Raises Refused for the first error."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise _refused(cls, error) from None

    def given(self) -> dict[str, Any]:
        """The values that were sent, without those that were left out."""
        return self.model_dump(mode="json", exclude_unset=True)


def _storable(text: str) -> str:
    """The text, unless it holds a NUL or an unpaired surrogate, which databases refuse."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("a text without control characters")
    return text


Text = Annotated[
    str, StringConstraints(min_length=1, max_length=LONGEST_TEXT), AfterValidator(_storable)
]


def wanted(schema: type[Input], name: str) -> str:
    """What a field accepts, as a sentence for forms, the API and files.

    >>> class Pause(Input):
    ...     seconds: Annotated[int, Field(ge=0, le=3600)] = 2
    >>> wanted(Pause, "seconds")
    'Give a whole number from 0 to 3,600.'
    """
    described = schema.model_json_schema(mode="validation")
    return f"Give {_described(described['properties'][name], described.get('$defs', {}))}."


def bounds(schema: type[Input], name: str) -> tuple[float | None, float | None]:
    """The least and the greatest value of a numeric field; None for a missing bound."""
    described = schema.model_json_schema(mode="validation")["properties"][name]
    numbers = [each for each in described.get("anyOf", [described]) if "minimum" in each]
    found = numbers[0] if numbers else {}
    return found.get("minimum"), found.get("maximum")


def _refused(schema: type[Input], error: ValidationError) -> Refused:
    fault = error.errors()[0]
    place = [part[:100] for part in fault["loc"] if isinstance(part, str)]
    if not place:
        return Refused("", "Give an object with names and values.")
    entries = [part + 1 for part in fault["loc"] if isinstance(part, int)]
    owner = _owner(schema, place[:-1])
    if fault["type"] == "extra_forbidden":
        known = ", ".join((owner or schema).model_fields)
        return Refused(".".join(place), f"There is no {place[-1]}; there are: {known}.")
    if owner is None or place[-1] not in owner.model_fields:
        return Refused(".".join(place), f"{fault['msg']}.")
    entry = f" Entry {entries[0]:,} is not." if entries else ""
    return Refused(".".join(place), wanted(owner, place[-1]) + entry)


def _owner(schema: type[Input], place: list[str]) -> type[Input] | None:
    """The schema of the object at that place, or None if no schema describes it."""
    for name in place:
        field = schema.model_fields.get(name)
        inner = field.annotation if field is not None else None
        if not (isinstance(inner, type) and issubclass(inner, Input)):
            return None
        schema = inner
    return schema


def _described(described: Mapping[str, Any], others: Mapping[str, Any], unit: str = "") -> str:
    unit = described.get("unit", unit)
    if "$ref" in described:
        described = others[described["$ref"].rpartition("/")[2]]
    options = described.get("anyOf")
    if options:
        words = [
            _described(option, others, unit) for option in options if option.get("type") != "null"
        ]
        empty = ", or leave it empty" if len(words) < len(options) else ""
        return " or ".join(words) + empty
    if "enum" in described:
        return f"one of {', '.join(map(str, described['enum']))}"
    return _of_type(described, others) + (f" of {unit}" if unit else "") + _range(described)


def _of_type(described: Mapping[str, Any], others: Mapping[str, Any]) -> str:
    if described.get("type") == "array":
        entry = _described(described.get("items", {}), others)
        return f"a list, each entry {entry}"
    words = {"integer": "a whole number", "number": "a number", "boolean": "true or false",
             "string": "a text", "object": "an object"}  # fmt: skip
    return words.get(described.get("type", ""), "a value")


def _range(described: Mapping[str, Any]) -> str:
    least, most = described.get("minimum"), described.get("maximum")
    if least is not None and most is not None:
        return f" from {least:,} to {most:,}"
    return f" from {least:,} up" if least is not None else ""
