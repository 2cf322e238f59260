"""What is typed into a search box, as the clauses that a page must satisfy."""

from __future__ import annotations

import pytest

from apps.stored_pages.query_words import Clause, read_words


@pytest.mark.parametrize(("typed", "clauses"), [
    ("nest OR breeding", [Clause((("nest",), ("breed",)))]),
    ("a OR b OR c d", [Clause((("a",), ("b",), ("c",))), Clause((("d",),))]),
    ('"open sea" OR coast', [Clause((("open", "sea"), ("coast",)))]),
    ("OR nest", [Clause((("nest",),))]),
    ("nest OR", [Clause((("nest",),))]),
    ("nest OR -egg", [Clause((("nest",),)), Clause((("egg",),), excluded=True)]),
    ("x" * 61, [Clause((("x" * 61,),))]),
    ('((( " -', []),
    ("nest or egg", [Clause((("nest",),)), Clause((("or",),)), Clause((("egg",),))]),
])
def test_or_makes_one_clause_of_two(typed: str, clauses: list[Clause]) -> None:
    assert list(read_words(typed, ["en"])) == clauses
