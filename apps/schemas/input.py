"""The base of the schemas: strict types, no unknown names, and a sentence for each error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import NoneType
from typing import Annotated, Any, Self, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from apps.schemas.refused import Refused

LONGEST_TEXT = 2_000
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Input(BaseModel):
    """An object as it is sent. Types are strict ("5" is not a number), and unknown names are
    refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    @classmethod
    def read(cls, values: Any) -> Self:
        """The checked object. Raises Refused for the first error."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise refusal(cls, error) from None

    def sent_values(self) -> dict[str, Any]:
        """The values that were sent, without those that were left out."""
        return self.model_dump(mode="json", exclude_unset=True)


def _storable(text: str) -> str:
    """The text, unless it holds a NUL or an unpaired surrogate, which databases refuse."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("a text without control characters")
    return text


def is_printable(text: str) -> bool:
    """Whether a name holds no control character: none that moves the cursor, ends a line or turns
    the direction of what stands beside it."""
    return _CONTROL.search(text) is None


def _printable(text: str) -> str:
    if not is_printable(text):
        raise ValueError("a text without control characters")
    return text


Storable = Annotated[str, AfterValidator(_storable)]
Printable = AfterValidator(_printable)
"""For names, which stand in lists, headings and files."""
Text = Annotated[Storable, StringConstraints(min_length=1, max_length=LONGEST_TEXT)]
MOST_KEY = 2**63 - 1
"""The largest number that a row of the database can have; larger ones are nobody's."""
# A row of a table by its number.
Key = Annotated[int, Field(ge=1, lt=MOST_KEY + 1)]


def accepts(words: str) -> Any:
    """Words for what a field accepts, to be used in its sentence (`describe_accepted`)."""
    return Field(json_schema_extra={"wanted": words})


def describe_accepted(schema: type[BaseModel], name: str) -> str:
    """The values that a field accepts, as a sentence for forms, the API and files.

    >>> class Pause(Input):
    ...     seconds: Annotated[int, Field(ge=0, le=3600)] = 2
    >>> describe_accepted(Pause, "seconds")
    'Give a whole number from 0 to 3,600.'
    """
    return f"Give {_described(*_field(schema, name))}."


def bound(schema: type[BaseModel], name: str, keyword: str) -> Any:
    """A limit of a field by its name in JSON schemas (`minimum`, `maxLength`); None without it."""
    described, _ = _field(schema, name)
    options = described.get("anyOf", [described])
    return next((option[keyword] for option in options if keyword in option), None)


def _field(schema: type[BaseModel], name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON schema of a field, and those that it refers to by name."""
    whole = _json_schema(schema)
    others = whole.get("$defs", {})
    # A schema that holds itself is a reference to its own.
    described = whole if "properties" in whole else others[schema.__name__]
    return described["properties"][name], others


@lru_cache(maxsize=500)
def _json_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """Kept, since a form or a refusal asks for many of its fields, and making it takes long."""
    return schema.model_json_schema(mode="validation")


def refusal(schema: type[BaseModel], error: ValidationError) -> Refused:
    """The first thing that is wrong as a sentence at its field, `topic.name` within an object."""
    fault = error.errors()[0]
    owner, names, entry, rest = _located(schema, list(fault["loc"]))
    field = ".".join(name[:100] for name in names)
    if not names:
        return Refused("", "Give an object with names and values.")
    if names[-1] not in owner.model_fields:
        fields = ", ".join(owner.model_fields)
        return Refused(field, f"{entry}There is no {names[-1][:100]}; there are: {fields}.")
    return Refused(field, entry + describe_accepted(owner, names[-1]) + _not_so(rest))


def _located(
    schema: type[BaseModel], path: list[str | int]
) -> tuple[type[BaseModel], list[str], str, list[str | int]]:
    """The innermost schema on the way to a fault, the names to its field, the entry of a list of
    objects that it is in, and the path within the field."""
    names: list[str] = []
    entry = ""
    while path:
        names.append(str(path.pop(0)))
        field = schema.model_fields.get(names[-1])
        inner = None if field is None else _object_in(field.annotation)
        if inner is None or not path or (isinstance(path[0], int) and len(path) == 1):
            break
        if isinstance(path[0], int):
            entry = f"Entry {int(path.pop(0)) + 1:,}: "
        schema = inner
    return schema, names, entry, path


def _object_in(annotation: Any) -> type[BaseModel] | None:
    """The schema of an object, of one that may be left out or of those in a list; else None."""
    args = [each for each in get_args(annotation) if each not in (NoneType, Ellipsis)]
    inner = args[0] if len(args) == 1 else annotation
    is_schema = get_origin(inner) is None and isinstance(inner, type)
    return inner if is_schema and issubclass(inner, BaseModel) else None


def _not_so(path: list[str | int]) -> str:
    """Which entry of a list, or which key of an object, is meant."""
    step = path[0] if path else None
    if isinstance(step, int):
        return f" Entry {step + 1:,} is not."
    return f" See “{step[:200]}”." if step else ""


def _described(described: Mapping[str, Any], others: Mapping[str, Any], unit: str = "") -> str:
    unit = described.get("unit", unit)
    if "wanted" in described:
        return str(described["wanted"])
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
        most = described.get("maxItems")
        entry = _described(described.get("items", {}), others)
        return f"a list{f' of up to {most:,}' if most else ''}, each entry {entry}"
    if described.get("format") == "binary":
        return "a file"
    words = {
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
        "string": "a text",
        "object": "an object",
    }
    return words.get(described.get("type", ""), "a value")


def _range(described: Mapping[str, Any]) -> str:
    least, most = described.get("minimum"), described.get("maximum")
    shortest, longest = described.get("minLength", 0), described.get("maxLength")
    if longest is not None:
        return f" of {f'{shortest:,}' if shortest else 'up'} to {longest:,} characters"
    if "exclusiveMinimum" in described:
        return f" above {described['exclusiveMinimum']:,}" + (f", up to {most:,}" if most else "")
    if least is not None and most is not None:
        return f" from {least:,} to {most:,}"
    return f" from {least:,} up" if least is not None else ""
