"""A page as it is read, as text and packed."""

from __future__ import annotations

from apps.main_text.article import Article, Block, cut, pack, text_of, unpack

BLOCKS = (
    Block("heading", "What was measured", 2),
    Block("paragraph", "Two winters, °C and “quotes”."),
    Block("item", "one"),
    Block("item", "two"),
    Block("row", "Heat\t212", 0),
    Block("row", "Power\t68", 0),
)


def test_paragraphs_have_an_empty_line_between_them_items_and_rows_do_not() -> None:
    assert text_of(BLOCKS) == (
        "What was measured\n\nTwo winters, °C and “quotes”.\n\none\ntwo\n\nHeat\t212\nPower\t68"
    )
    assert text_of(()) == ""


def test_what_is_packed_is_unpacked_unchanged() -> None:
    broken = Block("paragraph", "half a \ud800 pair")
    assert unpack(pack(BLOCKS)) == BLOCKS
    assert unpack(pack((broken,))) == (Block("paragraph", "half a ? pair"),)


def test_what_is_too_long_is_cut() -> None:
    assert cut(BLOCKS, 19) == (BLOCKS[0], Block("paragraph", "Tw"))
    assert cut(BLOCKS, 0) == ()
    assert cut(BLOCKS) == BLOCKS


def test_its_language_is_the_main_one() -> None:
    assert Article(languages=(("de", 0.7), ("en", 0.3))).language == "de"
    assert Article().language == ""
