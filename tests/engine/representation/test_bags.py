"""Texts as counts of words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from apps.engine import checkpoint
from apps.engine.errors import BadWebFile
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.engine.representation.background import BackgroundStatistics
from apps.engine.representation.bags import Bags, BagsMaker, read_bags
from apps.engine.representation.tokens import Vocabulary
from tests.made_web import MadeWeb, bread_topic


def made() -> Bags:
    maker = BagsMaker()
    assert maker.add("rye and rye bread 1999".split(), ("http://a.test/", ""), 3)
    assert maker.add("stars and rye".split(), ("http://b.test/", "http://b.test/x"))
    assert not maker.add(["7", "x", "9" * 50])
    return maker.bags()


def test_token_rows_are_split_by_the_number_of_words_in_each() -> None:
    rows = TokenRows.split(np.array([4, -1, 5, -1, 6], np.int32), [2, 0, 2, 1])
    assert [rows.row(i).tolist() for i in range(len(rows))] == [[4], [], [5], [6]]
    assert len(TokenRows.split(np.empty(0, np.int32), [])) == 0


def test_lots_of_token_rows_are_joined_in_their_order() -> None:
    one = TokenRows.one(np.array([7, -1, 8], np.int32))
    several = TokenRows.of([np.array(ids, np.int32) for ids in ([4], [], [5, 6])])
    rows = TokenRows.joined([one, several, one])
    bags = [rows.row(i).tolist() for i in range(len(rows))]
    assert bags == [[7, 8], [4], [], [5, 6], [7, 8]]


def test_a_text_keeps_how_often_each_word_stands_in_it() -> None:
    bags = made()
    assert [sorted(text) for text in bags.texts()] == [
        ["and", "bread", "rye", "rye"],
        ["and", "rye", "stars"],
    ]


def test_texts_are_found_by_each_address_and_by_their_origin() -> None:
    bags = made()
    assert bags.indices_at({"http://b.test/x"}) == [1]
    assert bags.indices_at({"http://elsewhere.test/"}, origin=3) == [0]
    assert bags.indices_at(set()) == []
    assert [sorted(text) for text in bags.texts(without=[0])] == [["and", "rye", "stars"]]


def test_a_file_gives_the_same_texts_and_digest_again(tmp_path: Path) -> None:
    bags = made()
    bags.write(tmp_path / "1.npz")
    again = read_bags(tmp_path / "1.npz")
    assert list(map(list, again.texts())) == list(map(list, bags.texts()))
    assert again.digest() == bags.digest() and again.indices_at(set(), 3) == [0]


def test_the_digest_names_words_counts_and_addresses() -> None:
    other = BagsMaker()
    other.add("rye and bread".split(), ("http://a.test/",), 3)
    other.add("stars and rye".split(), ("http://b.test/", "http://b.test/x"))
    assert other.bags().digest() != made().digest()


@pytest.mark.parametrize(
    "change",
    [
        {"counts": np.zeros(6, np.int32)},
        {"indptr": np.array([0, 9, 6])},
        {"version": 99},
        {"words": np.full(6, 77, np.int32)},
        {"origins": np.zeros(7, np.int64)},
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, change) -> None:
    checkpoint.write(tmp_path / "1.npz", made().state() | change)
    with pytest.raises(BadWebFile, match="cannot be read"):
        read_bags(tmp_path / "1.npz")


def test_a_file_that_is_gone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadWebFile):
        read_bags(tmp_path / "1.npz")


def test_counted_texts_weigh_words_as_the_pages_themselves_do() -> None:
    """A background of bags is that of the documents: same frequencies, same directions."""
    web = MadeWeb()
    pages = [web.document(i) for i in range(40, 80)]
    maker = BagsMaker()
    for page in pages:
        maker.add(page.words[: page.visible])
    learned, reports = Vocabulary("en"), Vocabulary("en")
    rows = TokenRows.of([learned.encode(page.words[: page.visible]) for page in pages])
    whole = BackgroundStatistics().fit(rows)
    counted = BackgroundStatistics().fit(maker.bags().rows(reports))
    words = {learned.word(t): i for t, i in zip(whole.terms_, whole.idf_, strict=True)}
    again = {reports.word(t): i for t, i in zip(counted.terms_, counted.idf_, strict=True)}
    assert words == pytest.approx(again)
    assert len(counted) == len(whole)


def test_a_topic_reads_them_beside_its_documents() -> None:
    topic = bread_topic(MadeWeb())
    model = TopicModel(replace(topic, background_texts=made().texts()))
    assert model.has_background and len(model.background()) == 2
    # Stop words of the topic's language are left out, and words are stemmed by it.
    assert [len(model.background().row(i)) for i in range(2)] == [3, 2]
