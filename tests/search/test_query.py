"""What is typed into a search box, as the clauses that a page must satisfy."""

from __future__ import annotations

import pytest

from apps.search.query import PAGES, Clause, Phrase, query_errors, read_query, stemmed


def words(*phrases: str, excluded: bool = False) -> Clause:
    """The clause of these phrases, by stems."""
    return Clause(tuple(Phrase(tuple(phrase.split())) for phrase in phrases), excluded)


@pytest.mark.parametrize(
    ("typed", "clauses"),
    [
        ("nest OR breeding", [words("nest", "breed")]),
        ("a OR b OR c d", [words("a", "b", "c"), words("d")]),
        ('"open sea" OR coast', [words("open sea", "coast")]),
        ("OR nest", [words("nest")]),
        ("nest OR", [words("nest")]),
        ("nest OR -egg", [words("nest"), words("egg", excluded=True)]),
        ("x" * 61, [words("x" * 61)]),
        ('((( " -', []),
        ("nest or egg", [words("nest"), words("or"), words("egg")]),
        ("title:Nests", [Clause((Phrase(("nest",), "title"),))]),
        ('-Title:"open sea"', [Clause((Phrase(("open", "sea"), "title"),), excluded=True)]),
        ("https://a.test/b", [words("http a test b")]),
        ("12:30 std::map", [words("12 30"), words("std map")]),
    ],
)
def test_what_is_typed_becomes_clauses(typed: str, clauses: list[Clause]) -> None:
    assert list(stemmed(read_query(typed), ["en"])) == clauses
    assert query_errors(typed, PAGES) == () or not clauses


def test_an_asterisk_stands_for_the_rest_of_a_word_and_of_its_stem() -> None:
    (clause,) = stemmed(read_query("baking*"), ["en"])
    assert clause.phrases == (Phrase(("bake",)), Phrase(("baking",), begins=True))
    (clause,) = stemmed(read_query('"open seas*"'), ["en"])
    assert clause.phrases == (
        Phrase(("open", "sea")),
        Phrase(("open", "seas"), begins=True),
    )


def test_addresses_stay_as_they_are_typed() -> None:
    url, site = stemmed(read_query("url:Nests/ OR title:egg site:Birds.test"), ["en"])
    assert [phrase.text for phrase in (*url.phrases[:1], *site.phrases)] == [
        "Nests/",
        "Birds.test",
    ]
    assert url.in_fields and site.in_fields and url.phrases[1].prefix == "title"


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        (
            "by:de tea",
            "“by:” is not a prefix of this search; give title:, url:, site:, lang:, before: or"
            " after:, or put it in quotes.",
        ),
        ("title: tea", "“title:” stands right before a word or phrase, without a space."),
        ("so*ur", "“so*ur”: an asterisk stands only at the end of a word."),
        ("site:a.test/b", "“a.test/b” is not a host; site: stands before one, as in"),
        ("(((", "“(((” has no word or number to look for."),
        ("a " * 17, "A search has at most 16 words and phrases; the others are left out."),
    ],
)
def test_what_cannot_be_looked_for_is_named_and_left_out(typed: str, error: str) -> None:
    (message,) = query_errors(typed, PAGES)
    assert message.startswith(error)
    assert all(len(phrase.words) == 1 for c in read_query(typed) for phrase in c.phrases)
    assert not any(p.words in (("lang",), ("title",)) for c in read_query(typed) for p in c.phrases)


def test_a_search_without_prefixes_names_none() -> None:
    assert query_errors("owner:ada", ()) == (
        "This search has no prefix “owner:”; put the words in quotes.",
    )
    assert query_errors('"owner:ada"', ()) == ()


def near(first: str, second: str, within: int) -> Clause:
    return Clause((Phrase((first,), near=Phrase((second,)), within=within),))


@pytest.mark.parametrize(
    ("typed", "clauses"),
    [
        ("heat NEAR pumps", [near("heat", "pump", 10)]),
        ("heat NEAR/3 pumps", [near("heat", "pump", 3)]),
        ("a NEAR b NEAR/2 c", [near("a", "b", 10), near("b", "c", 2)]),
        ("heat near pump", [words("heat"), words("near"), words("pump")]),
    ],
)
def test_two_words_may_have_to_be_near(typed: str, clauses: list[Clause]) -> None:
    assert list(stemmed(read_query(typed), ["en"])) == clauses
    assert query_errors(typed, PAGES) == ()


@pytest.mark.parametrize(
    "typed", ["NEAR pump", "heat NEAR", "heat NEAR -pump", "heat NEAR site:a.test", "a OR NEAR b"]
)
def test_near_stands_between_two_words(typed: str) -> None:
    assert "stands between two words or phrases" in query_errors(typed, PAGES)[0]
    assert not any(phrase.near for clause in read_query(typed) for phrase in clause.phrases) or (
        typed == "a OR NEAR b"
    )


def test_near_has_a_limit() -> None:
    assert query_errors("a NEAR/31 b", PAGES) == (
        "“NEAR/31”: at most 30 words stand between, as in NEAR/5.",
    )
