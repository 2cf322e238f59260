from __future__ import annotations

from apps.engine.answers import Answer
from apps.watches.text_changes.differences import compare_texts
from apps.watches.text_changes.link_lists import link_texts, new_links

BEFORE = ("Grants for schools", "Heat pumps in Kiel", "What a pump needs")
NEWS = "A new pump for the town hall"
ABOUT = "This site reports on heat pumps in public buildings."


def links_of(old: list[str], new: list[str], *, more: tuple[str, ...] = ()) -> int | None:
    """What the difference of two lists is; all but `more` and teasers are links in them."""
    linked = [frozenset(t.casefold() for t in side if not t.endswith(".")) for side in (old, new)]
    texts = ["\n".join((ABOUT, *side, *more)) for side in (old, new)]
    return new_links(compare_texts(*texts), *linked)


def test_a_new_entry_is_a_link() -> None:
    assert links_of([*BEFORE], [NEWS, *BEFORE]) == 1
    assert links_of([*BEFORE], [NEWS, *BEFORE[:-1]]) == 1


def test_an_entry_that_took_the_place_of_another_is_a_link() -> None:
    assert links_of(["Heat pumps in Kiel, part 1"], ["Heat pumps in Kiel, part two"]) == 1


def test_a_teaser_belongs_to_its_link() -> None:
    teaser = "The town hall of Kiel was heated with oil until this autumn."
    assert links_of([*BEFORE], [NEWS, teaser, *BEFORE]) == 1


def test_a_paragraph_alone_is_a_change() -> None:
    assert links_of([*BEFORE], [*BEFORE, "The office is closed until January."]) is None
    assert links_of([*BEFORE], [NEWS, *BEFORE, "The office is closed until January."]) is None


def test_a_text_rewritten_around_a_link_is_a_change() -> None:
    rewritten = [NEWS, "The first sentence.", "Another one of it.", "And the last of them."]
    assert links_of([*BEFORE], [*rewritten, *BEFORE]) is None


def test_gone_entries_alone_bring_no_link() -> None:
    assert links_of([*BEFORE], [*BEFORE[1:]]) == 0


def test_the_texts_of_links_are_read_of_the_page() -> None:
    page = b"<p><a href='/a'>Heat  <b>pumps</b>\n in Kiel</a></p><p>No link</p><a name=x>anchor</a>"
    answer = Answer("http://a.test/", "http://a.test/", 200, (("Content-Type", "text/html"),), page)
    assert link_texts(answer) == {"heat pumps in kiel"}
