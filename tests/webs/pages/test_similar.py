"""Similar pages of a recorded web, on a web of known words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.stored_pages.page_text import page_text
from apps.webs.models import Web
from apps.webs.opening import open_web
from apps.webs.pages.searching import PageIndex
from apps.webs.pages.similar import SimilarPages, similar_pages

pytestmark = pytest.mark.django_db
OWLS = "An owl hunts voles at dusk over meadows and nests in hollow trees near old barns"
ROWS = [
    ("http://a.test/0", "Owls", OWLS, []),
    ("http://a.test/1", "Barn owls", f"{OWLS} too", []),
    ("http://a.test/2", "Voles", "voles dig burrows in meadows and fear the owl", []),
    ("http://a.test/3", "Meadows", "meadows are mown in June", []),
    ("http://a.test/4", "Ships", "ships cross the ocean with grain", []),
    ("http://a.test/5", "", "", []),
]


def similar(web: Web, number: int) -> SimilarPages:
    with PageIndex(web) as index:
        (page,) = index.pages([number])
        return similar_pages(index, page, page_text(open_web(web).get(page.url)))


def test_pages_that_share_its_rare_words_come_first_and_name_which(
    make_web: Callable[..., Web],
) -> None:
    alike = similar(make_web(ROWS), 0)
    assert [page.number for page in alike.pages[:2]] == [1, 2]
    assert "owl" in {word.rstrip("s") for word in alike.shared[2]}
    assert 4 not in {page.number for page in alike.pages}
    assert 0 not in {page.number for page in alike.pages}


def test_a_page_without_words_is_like_no_other(make_web: Callable[..., Web]) -> None:
    alike = similar(make_web(ROWS), 5)
    assert alike.pages == () and alike.words == ()
