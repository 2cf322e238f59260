"""What counts as a change between two texts, and how it is said in one line."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest

from apps.watches.text_changes.differences import Difference, Edit, compare_texts
from apps.watches.text_changes.passing_values import Noise, VisitTimes

WEEK = VisitTimes(datetime(2026, 11, 17, 2, tzinfo=UTC), datetime(2026, 11, 24, 2, tzinfo=UTC))
PROSE = "The pumps of the town hall have run since the first winter without an interruption."


def edits(difference: Difference) -> list[Edit]:
    return [passage.edit for passage in difference.passages]


@pytest.mark.parametrize(
    ("before", "after", "noise"),
    [
        ("Stand: 17. November 2026", "Stand: 24. November 2026", Noise.DATE),
        ("Last updated 2026-11-17 02:00:11", "Last updated 2026-11-24 02:00:09", Noise.DATE),
        ("Tuesday, 17 November 2026", "Wednesday, 18 November 2026", Noise.DATE),
        ("Mise à jour : 17 novembre 2026", "Mise à jour : 24 novembre 2026", Noise.DATE),
        ("It is 12:03:44 in Lindau.", "It is 12:07:01 in Lindau.", Noise.DATE),
        ("Posted 3 hours ago by Ann", "Posted 5 hours ago by Ann", Noise.DATE),
        ("vor 2 Stunden", "vor 3 Tagen", Noise.DATE),
        ("2026年11月17日更新", "2026年11月24日更新", Noise.DATE),
        ("© 2025 Town of Lindau", "© 2026 Town of Lindau", Noise.COUNTER),
        ("Visitors: 1,234", "Visitors: 1,311", Noise.COUNTER),
        ("12 comments", "14 comments", Noise.COUNTER),
        ("Page generated in 0.034 s", "Page generated in 0.131 s", Noise.COUNTER),
        ("Besucher: 99", "Besucher: 101", Noise.COUNTER),
        ("Session 4f3a9bc01d22", "Session 99ab3bc01d00", Noise.SESSION),
        ("Your token: k7Q", "Your token: p2Z", Noise.SESSION),
        ("Served at 1772845200", "Served at 1772931600", Noise.SESSION),
        ("News of 17 November", "News of 24 November", Noise.DATE),
        ("You are visitor number 1234.", "You are visitor number 1311.", Noise.COUNTER),
        (
            "Printed on Tuesday, 17 November 2026 at 02:00 by the library of Lindau",
            "Printed on Tuesday, 24 November 2026 at 02:00 by the library of Lindau",
            Noise.DATE,
        ),
        ("Tue, 17 Nov 2026 02:00:00 GMT", "Tue, 24 Nov 2026 02:00:00 GMT", Noise.DATE),
        ("2026-11-17T02:00:00Z", "2026-11-24T02:00:09Z", Noise.DATE),
        (
            "Request 7d1c2f3e-0a1b-4c2d-8e9f-001122334455",
            "Request 8d1c2f3e-0a1b-4c2d-8e9f-001122334456",
            Noise.SESSION,
        ),
    ],
)
def test_what_passes_by_itself_is_no_change(before: str, after: str, noise: Noise) -> None:
    difference = compare_texts(f"{PROSE}\n\n{before}", f"{PROSE}\n\n{after}", WEEK)
    assert not difference.is_change
    assert [p.noise for p in difference.passages if p.edit is Edit.PASSED] == [noise]
    assert (difference.share, difference.summary) == (0.0, "")


@pytest.mark.parametrize(
    ("before", "after", "noise"),
    [
        ("Home | News | About | Contact", "Home | News | Shop | Contact", Noise.MENU),
        ("Advertisement: cheap flights", "Advertisement: new shoes, now", Noise.ADVERTISEMENT),
        ("Related: pumps, wells", "Related: grants, baths", Noise.MENU),
        ("Anzeige\n\nGünstige Flüge nach Rom", "Anzeige\n\nNeue Schuhe", Noise.ADVERTISEMENT),
        ("", "Last updated on 24 November 2026 by admin", Noise.DATE),
        ("Views: 120", "", Noise.COUNTER),
        ("", "We use cookies to improve this site. Accept all?", Noise.COOKIES),
        ("Diese Website verwendet Cookies. Einstellungen", "", Noise.COOKIES),
    ],
)
def test_what_is_none_of_the_text_is_no_change(before: str, after: str, noise: Noise) -> None:
    difference = compare_texts(f"{before}\n\n{PROSE}", f"{after}\n\n{PROSE}", WEEK)
    assert not difference.is_change
    assert {p.noise for p in difference.passages if p.edit is Edit.PASSED} == {noise}


@pytest.mark.parametrize(
    ("before", "after", "summary"),
    [
        # A day that does not follow the clock has moved.
        (
            "Closing date: 28 November 2026.",
            "Closing date: 16 January 2027.",
            "Closing date: 28 November 2026 → 16 January 2027",
        ),
        ("Price: 15 EUR", "Price: 17 EUR", "Price: 15 → 17"),
        # One that lies ahead has moved too, be it by the time between the visits.
        (
            "Next meeting: 10 December 2026.",
            "Next meeting: 17 December 2026.",
            "Next meeting: 10 December 2026 → 17 December 2026",
        ),
        (
            "Today the council agreed to close the old bath on 5 May 2027.",
            "Today the council agreed to close the old bath on 9 June 2027.",
            "… to close the old bath on 5 May 2027 → 9 June 2027",
        ),
        (
            "The pool had 12,000 visitors last year.",
            "The pool had 13,000 visitors last year.",
            "The pool had 12,000 → 13,000",
        ),
        (
            PROSE,
            f"{PROSE}\n\nUpdate 24 November: meeting cancelled",
            "Update 24 November: meeting cancelled",
        ),
        ("Open from 9:00 to 17:00.", "Open from 10:00 to 17:00.", "Open from 9:00 → 10:00"),
        (
            "The head of the office is Anna Huber.",
            "The head of the office is Mira Kern.",
            "The head of the office is Anna Huber → Mira Kern",
        ),
        (
            "The plant was built for 12,000 visitors a year and has not been too small since then.",
            "The plant was built for 13,000 visitors a year and has not been too small since then.",
            "The plant was built for 12,000 → 13,000",
        ),
        (
            PROSE,
            f"{PROSE} They are quiet. In the second winter they needed 3,4 units in four days.",
            "In the second winter they needed 3,4 units in four days.",
        ),
        (
            PROSE,
            f"{PROSE}\n\nA new boiler. It will be much larger than the former one.",
            "It will be much larger than the former one.",
        ),
        (
            f"{PROSE}\n\nThe old boiler stays in use.",
            PROSE,
            "no longer: The old boiler stays in use.",
        ),
    ],
)
def test_a_change_is_reported_in_one_line(before: str, after: str, summary: str) -> None:
    difference = compare_texts(before, after, WEEK)
    assert difference.is_change
    assert difference.summary == summary


def test_words_in_and_out_are_marked_in_their_block() -> None:
    difference = compare_texts(
        f"{PROSE}\n\nDie Zahl lag nach dem ersten Winter bei 3,1.",
        f"{PROSE}\n\nDie Zahl lag im ersten Winter bei 3,1, im zweiten bei 3,4.",
    )
    same, changed = difference.passages
    assert (same.edit, changed.edit) == (Edit.SAME, Edit.CHANGED)
    assert [(f.edit.value, f.text.strip()) for f in changed.fragments] == [
        ("same", "Die Zahl lag"),
        ("out", "nach dem"),
        ("in", "im"),
        ("same", "ersten Winter bei 3,1,"),
        ("in", "im zweiten bei 3,4."),
    ]
    assert (difference.words_in, difference.words_out) == (5, 2)
    assert (difference.words_before, difference.words_after) == (24, 27)
    assert difference.share == 7 / 51


@pytest.mark.parametrize(
    ("before", "after", "words_in", "words_out", "summary"),
    [
        ("热泵很好。价格不变。", "热泵非常好。价格不变。", 2, 1, "热泵非常好。"),
        ("ราคาปั๊ม", "ราคาปั๊มใหม่", 4, 0, "ราคาปั๊มใหม่"),
        ("हिन्दी में पाठ", "हिन्दी में नया पाठ", 1, 0, "हिन्दी में नया पाठ"),
        ("גרסה ישנה של הדף", "גרסה חדשה של הדף", 1, 1, "גרסה חדשה של הדף"),
    ],
)
def test_scripts_are_read_as_they_are_written(
    before: str, after: str, words_in: int, words_out: int, summary: str
) -> None:
    difference = compare_texts(before, after)
    assert difference.is_change
    assert (difference.words_in, difference.words_out) == (words_in, words_out)
    assert difference.summary == summary


def test_a_block_that_has_moved_is_none() -> None:
    difference = compare_texts(
        "One first.\nTwo second.\nThree third.", "Three third.\nOne first.\nTwo second."
    )
    assert not difference.is_change
    assert sorted(edits(difference)) == [Edit.MOVED, Edit.SAME, Edit.SAME]


def test_paragraphs_divided_anew_are_the_same() -> None:
    assert not compare_texts("One two. Three four.", "One two.\n\nThree four.").is_change


def test_signs_case_and_blanks_are_no_change() -> None:
    assert not compare_texts("“Heat pumps”,  cheap", '"heat\u00a0pumps" – Cheap').is_change


def test_blocks_in_and_out_are_counted() -> None:
    difference = compare_texts(
        f"{PROSE}\nThe grant ends in spring.\nAsk Mr Miller about it.",
        f"{PROSE}\nAsk Mr Miller about it.\nNobody has complained so far, says the mayor.",
    )
    counts = {edit: difference.blocks(edit) for edit in (Edit.SAME, Edit.IN, Edit.OUT)}
    assert counts == {Edit.SAME: 2, Edit.IN: 1, Edit.OUT: 1}


@pytest.mark.parametrize(("before", "after"), [("", ""), ("", PROSE), (PROSE, "")])
def test_an_empty_text_is_compared_too(before: str, after: str) -> None:
    difference = compare_texts(before, after)
    assert difference.is_change == (before != after)
    assert difference.share == float(before != after)


@pytest.mark.parametrize("lines", [1, 400])
def test_the_edits_of_a_long_text_are_seen_and_nothing_else(lines: int) -> None:
    random = Random(7)
    words = [random.choice(PROSE.split()) + random.choice("abcdefgh") for _ in range(8_000)]
    edited = list(words)
    for at in (10, 4_000, 7_990):
        edited[at] = "unheard"
    size = len(words) // lines
    before, after = (
        "\n".join(" ".join(side[at : at + size]) for at in range(0, len(side), size))
        for side in (words, edited)
    )
    difference = compare_texts(before, after)
    assert (difference.words_in, difference.words_out) == (3, 3)


@pytest.mark.parametrize(
    "hostile",
    [
        "a" * 300_000,
        "-" * 300_000,
        "1" * 300_000,
        "." * 300_000,
        "a" + " " * 300_000 + "b",
        "\n".join(" ".join(f"x u{k}q{i}" for i in range(900)) for k in range(30)),
        "\n".join(" ".join(f"w{i * k % 95}q" for i in range(1_900)) for k in range(1, 90)),
    ],
    ids=["letters", "signs", "digits", "dots", "blanks", "one word between", "few words"],
)
def test_a_page_made_to_be_slow_is_compared(hostile: str) -> None:
    """Each took from minutes to days."""
    other = hostile.replace("u", "v").replace("w1q", "w9q w8q") + " end"
    difference = compare_texts(f"{PROSE}\n{hostile}", f"{PROSE}\n{other}")
    assert difference.passages[0].edit is Edit.SAME
    assert difference.words_in + difference.words_out > 0 or not difference.is_change


def test_frequent_words_of_a_long_block_hide_no_other() -> None:
    words = [f"word{n % 7}x" for n in range(1_900)]
    before, after = " ".join(words), " ".join([*words[:900], "novelty", *words[900:]])
    difference = compare_texts(before, after)
    assert (difference.words_in, difference.words_out) == (1, 0)
