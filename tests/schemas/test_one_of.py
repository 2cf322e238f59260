"""A text of a catalogue is refused and described as a literal of the same values is."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ValidationError

from apps.schemas.one_of import OneOf


class Listed(BaseModel):
    field: Annotated[str, OneOf({"a": 1, "b": 2})] = "a"


class Literally(BaseModel):
    field: Literal["a", "b"] = "a"


def test_it_accepts_the_values_alone() -> None:
    assert Listed(field="b").field == "b"
    for sent in ("c", "", 1, None):
        with pytest.raises(ValidationError) as ours:
            Listed(field=sent)
        with pytest.raises(ValidationError) as theirs:
            Literally(field=sent)
        assert ours.value.errors(include_url=False) == theirs.value.errors(include_url=False)


def test_its_description_is_that_of_a_literal() -> None:
    ours, theirs = (model.model_json_schema()["properties"] for model in (Listed, Literally))
    assert ours == theirs
