"""Input is checked by one schema, and every error is a sentence at its field."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import Field

from apps.schemas.input import Input, Text, bound, describe_accepted, is_printable
from apps.schemas.refused import Refused


class Pause(Input):
    seconds: Annotated[float, Field(ge=0, le=3600, json_schema_extra={"unit": "seconds"})] = 2
    hosts: Annotated[tuple[Text, ...], Field(strict=False)] = ()


class Order(Input):
    loaves: Annotated[int | None, Field(ge=1, le=10_000)] = None
    kind: Literal["rye", "wheat"] = "rye"
    pause: Pause = Pause()


@pytest.mark.parametrize(
    ("values", "field", "message"),
    [
        ({"loaves": 0}, "loaves", "Give a whole number from 1 to 10,000, or leave it empty."),
        ({"loaves": "7"}, "loaves", "Give a whole number from 1 to 10,000, or leave it empty."),
        ({"kind": "oat"}, "kind", "Give one of rye, wheat."),
        ({"pause": {"seconds": -1}}, "pause.seconds", "Give a number of seconds from 0 to 3,600."),
        ({"pause": {"rest": 1}}, "pause.rest", "There is no rest; there are: seconds, hosts."),
        ({"pause": 3}, "pause", "Give an object."),
        ({"cake": 1}, "cake", "There is no cake; there are: loaves, kind, pause."),
        ([], "", "Give an object with names and values."),
    ],
)
def test_what_is_wrong_is_a_sentence_at_its_field(values, field, message):
    with pytest.raises(Refused) as refused:
        Order.read(values)
    assert (refused.value.field, refused.value.message) == (field, message)


@pytest.mark.parametrize("text", ["", "a\0b", "\ud800", "x" * 2001])
def test_texts_are_such_as_a_database_takes(text):
    with pytest.raises(Refused) as refused:
        Pause.read({"hosts": ["a.test", text]})
    assert refused.value.field == "hosts" and "Entry 2" in refused.value.message


def test_a_list_from_json_is_taken():
    assert Pause.read({"hosts": ["a.test"]}).hosts == ("a.test",)


def test_a_form_reads_its_bounds_from_the_schema():
    assert [bound(Order, "loaves", name) for name in ("minimum", "maximum")] == [1, 10_000]
    assert bound(Order, "kind", "minimum") is None
    assert describe_accepted(Pause, "seconds") == "Give a number of seconds from 0 to 3,600."


@pytest.mark.parametrize(
    "name", ["\0", "a\nb", "\x1b[0m", "\x7f", "\x85", "\u2028", "\u202e", "\ud800"]
)
def test_a_name_with_a_control_character_is_not_printable(name: str) -> None:
    assert not is_printable(name)


@pytest.mark.parametrize("name", ["", "Brot & Öfen", "نام‌ها", "पुस्तक", "👩‍🍳", "a\u00adb"])
def test_names_of_all_scripts_are_printable(name: str) -> None:
    assert is_printable(name)
