"""Values that cannot be understood."""

from __future__ import annotations

import pytest

from apps.schemas.misread import Misread, SearchRefused, misread_values, refuse_first


def test_each_value_that_is_not_understood_is_named_in_short() -> None:
    misread = [
        *misread_values("n", ["7", "", "seven", "8" * 41 + "x"], str.isdigit, "is no number")
    ]
    assert misread == [
        Misread("n", "“seven” is no number."),
        Misread("n", f"“{'8' * 40}…” is no number."),
    ]
    with pytest.raises(SearchRefused) as refused:
        refuse_first(misread)
    assert (refused.value.field, refused.value.message) == ("n", "“seven” is no number.")
    refuse_first([])
