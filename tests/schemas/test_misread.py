"""Values that cannot be understood."""

from __future__ import annotations

import pytest

from apps.schemas.misread import Misread, SearchRefused, misread_values, refuse


def test_each_value_that_is_not_understood_is_named_in_short() -> None:
    found = [*misread_values("n", ["7", "", "seven", "8" * 41 + "x"], str.isdigit, "is no number")]
    assert found == [
        Misread("n", "“seven” is no number."), Misread("n", f"“{'8' * 40}…” is no number."),
    ]  # fmt: skip
    with pytest.raises(SearchRefused) as refused:
        refuse(found)
    assert (refused.value.field, refused.value.message) == ("n", "“seven” is no number.")
    refuse([])
