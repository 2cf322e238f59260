"""The words that an agent numbers arrive as they were, each of them once."""

from __future__ import annotations

import pickle

import pytest

from apps.engine.agents import wording
from apps.engine.agents.packing import packed
from apps.engine.agents.wording import AgentNumbers, ArrivingWords, CoordinatorWords
from apps.engine.answers import Answer
from apps.engine.model import Document
from apps.engine.numbered_words import NumberedWords
from apps.engine.parsing.document import parse
from apps.engine.representation.tokens import Vocabulary

URL = "http://a.test/page"
TEXTS = ("one two two", "two three <a href=/x>one</a>", "", "the sea and the seas", "one")


def page(text: str) -> Document:
    return parse(Answer(URL, URL, 200, (("Content-Type", "text/html"),), f"<p>{text}".encode()))


def sent(document: Document, numbers: AgentNumbers) -> Document:
    got: Document = pickle.loads(packed(document, numbers))
    return got


def test_words_arrive_as_they_were_and_each_of_them_once() -> None:
    numbers, words, new = AgentNumbers(), CoordinatorWords(), []
    for text in TEXTS:
        document = sent(page(text), numbers)
        assert isinstance(document.words, ArrivingWords)
        new.append(document.words.text)
        words.enter(document)
        assert list(document.words) == page(text).words
    assert new == ["one two", "three", "", "the sea and seas", ""]


def test_a_vocabulary_gives_them_the_ids_of_plain_ones() -> None:
    numbers, words = AgentNumbers(), CoordinatorWords()
    plain, other, two = Vocabulary("en"), Vocabulary("en"), Vocabulary("en de")
    for text in TEXTS * 2:
        document = sent(page(text), numbers)
        words.enter(document)
        expected = plain.encode(page(text).words).tolist()
        assert other.encode(document.words).tolist() == expected
        assert two.language_of(document.words) == two.language_of(page(text).words)
    assert other.entries() == plain.entries()


def test_both_ends_begin_anew_and_the_tables_of_the_old_words_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wording, "MOST_WORDS", 3)
    numbers, words, vocabulary = AgentNumbers(), CoordinatorWords(), Vocabulary("en")
    lexicons, read = set(), []
    for text in TEXTS:
        document = sent(page(text), numbers)
        words.enter(document)
        assert isinstance(document.words, NumberedWords)
        lexicons.add(id(document.words.lexicon))
        read.append(document.words)
        assert (
            vocabulary.encode(document.words).tolist()
            == vocabulary.encode(page(text).words).tolist()
        )
    assert len(lexicons) == 4  # the empty page begins one of its own
    assert [list(each) for each in read] == [page(text).words for text in TEXTS]
    (encoder,) = vocabulary._encoders
    assert len(encoder.ids_by_lexicon) == 3
    del read, document
    assert len(encoder.ids_by_lexicon) == 1


def test_a_page_that_was_left_out_is_noticed() -> None:
    numbers, words = AgentNumbers(), CoordinatorWords()
    sent(page("lost"), numbers)
    with pytest.raises(ValueError, match="left out"):
        words.enter(sent(page("one"), numbers))
