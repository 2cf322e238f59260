from __future__ import annotations

import pytest

from apps.months.changing_web import ScriptedPage
from apps.months.freshness import freshness


def page(*edits: float, deleted: float | None = None) -> ScriptedPage:
    return ScriptedPage(1, 0, True, -1.0, edits, deleted)


def test_a_page_without_edits_is_always_current() -> None:
    assert freshness([(page(), [])], 10) == 1.0


def test_a_copy_is_out_of_date_from_the_edit_until_it_is_read() -> None:
    assert freshness([(page(2.0), [])], 10) == pytest.approx(0.2)
    assert freshness([(page(2.0), [3.0])], 10) == pytest.approx(0.9)
    assert freshness([(page(2.0, 2.5), [3.0, 4.0])], 10) == pytest.approx(0.9)


def test_a_deleted_page_has_no_current_copy_any_more() -> None:
    assert freshness([(page(deleted=5.0), [6.0])], 10) == pytest.approx(0.5)


def test_it_is_the_mean_over_pages() -> None:
    assert freshness([(page(), []), (page(0.0001), [])], 10) == pytest.approx(0.5, abs=1e-4)


def test_without_pages_there_is_none() -> None:
    assert freshness([], 10) is None
