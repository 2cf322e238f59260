from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.errors import BadCheckpoint
from apps.engine.numbered_words import Lexicon, NumberedWords
from apps.engine.representation import language_encoder, tokens
from apps.engine.representation.language_encoder import MEMO_LIMIT
from apps.engine.representation.stemmers import stemmer
from apps.engine.representation.stop_words import STOP_WORDS
from apps.engine.representation.tokens import ERASED, Vocabulary

WORDS = st.lists(st.text(alphabet="abeginst1é漢", min_size=1, max_size=45), max_size=60)
GERMAN = "die wiesen unter dem wasser sind für die fische der bucht sehr wichtig und schön".split()
ENGLISH = "the meadows under the water are important for all of the fish that live in it".split()


def test_it_stems_english_by_porter_and_keeps_one_id_a_stem():
    vocabulary = Vocabulary("en")
    ids = vocabulary.encode(["connection", "connected", "connecting", "meadow"])
    assert ids.tolist() == [0, 0, 0, 1]
    assert vocabulary.word(0) == "connect"


def test_a_word_that_is_its_own_stem_is_shown_as_it_is():
    vocabulary = Vocabulary("en")
    own, other = vocabulary.encode(["meadow", "meadows", "kelps"]).tolist()[::2]
    assert (vocabulary.word(own), vocabulary.readable_word(own)) == ("meadow", "meadow")
    assert (vocabulary.word(other), vocabulary.readable_word(other)) == ("kelp", "kelps")


def test_words_that_a_crawl_has_met_take_few_bytes_each():
    letters = range(ord("一"), ord("一") + 400)
    words = [chr(a) + chr(b) for a in letters for b in letters]
    vocabulary = Vocabulary("en")
    tracemalloc.start()
    try:
        vocabulary.encode(words[:MEMO_LIMIT])
        with_memo, _ = tracemalloc.get_traced_memory()
        vocabulary.encode(words[MEMO_LIMIT:])
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (taken - with_memo) / (len(words) - MEMO_LIMIT) < 40


def test_it_gives_no_id_to_stop_words_numbers_and_words_out_of_length():
    vocabulary = Vocabulary("en")
    words = ["the", "1997", "٣٤", "x", "a" * 41, "a" * 40, "b2b"]
    assert vocabulary.encode(words).tolist() == [-1, -1, -1, -1, -1, 0, 1]


def test_it_knows_the_language_of_a_regional_code():
    assert Vocabulary("pt-BR").encode(["não", "praias"]).tolist() == [-1, 0]
    german = Vocabulary("de")
    assert german.word(int(german.encode(["häuser"])[0])) == "haus"


def test_it_neither_stems_nor_stops_in_an_unknown_language():
    vocabulary = Vocabulary(None)
    assert vocabulary.encode(["the", "runs", "run"]).tolist() == [0, 1, 2]


@given(WORDS)
def test_it_encodes_as_its_slow_twin_does(words):
    vocabulary, seen, stem = Vocabulary("en"), {}, stemmer("en")
    expected = []
    for word in words:
        if len(word) < 2 or len(word) > 40 or word.isdigit() or word in STOP_WORDS["en"]:
            expected.append(-1)
        else:
            expected.append(seen.setdefault(stem(word), len(seen)))
    assert vocabulary.encode(words).tolist() == expected
    assert vocabulary.encode(words).tolist() == expected
    assert len(vocabulary) == len(seen)


@given(WORDS, WORDS, WORDS)
def test_a_copy_goes_its_own_way(before, here, there):
    original, alone = Vocabulary("en"), Vocabulary("en")
    original.encode(before), alone.encode(before)
    copied = original.copy()
    original.encode(here)
    assert copied.encode(there).tolist() == alone.encode(there).tolist()
    assert copied.entries() == alone.entries()


@given(WORDS, WORDS)
def test_a_vocabulary_of_its_state_goes_on_as_it_does(before, after):
    vocabulary = Vocabulary("en de")
    tokens = vocabulary.encode(before)
    vocabulary.show_usual_forms([before])
    vocabulary.stop(tokens[tokens >= 0][:2])
    again = Vocabulary.of_state(vocabulary.state())
    assert again.language == vocabulary.language
    assert again.encode(after + before).tolist() == vocabulary.encode(after + before).tolist()
    assert again.entries() == vocabulary.entries()


@given(WORDS, WORDS)
def test_ids_survive_a_restart(before, after):
    vocabulary = Vocabulary("en")
    vocabulary.encode(before)
    restored = Vocabulary("en")
    restored.restore(vocabulary.entries())
    assert restored.encode(before + after).tolist() == vocabulary.encode(before + after).tolist()
    assert restored.entries() == vocabulary.entries()
    assert [restored.readable_word(i) for i in range(len(restored))] == [
        vocabulary.readable_word(i) for i in range(len(vocabulary))
    ]


def test_an_erased_word_is_gone_and_gets_another_id_where_it_occurs_again():
    vocabulary = Vocabulary("en")
    before = vocabulary.encode(["baking", "dough", "rusks"]).tolist()
    vocabulary.erase(lambda word: word in ("rusks", "dough"))
    assert vocabulary.entries() == ["bake\tbaking", f"{ERASED}1", f"{ERASED}2"]
    after = vocabulary.encode(["baking", "dough", "rusks"]).tolist()
    assert (before, after) == ([0, 1, 2], [0, 3, 4])
    restored = Vocabulary("en")
    restored.restore(vocabulary.entries())
    assert restored.encode(["baking", "dough", "rusks"]).tolist() == after


def test_it_refuses_entries_with_other_ids():
    vocabulary, other = Vocabulary("en"), Vocabulary("en")
    vocabulary.encode(["meadow", "shoot"])
    other.encode(["shoot", "meadow"])
    with pytest.raises(BadCheckpoint):
        other.restore(vocabulary.entries())


def test_it_shows_the_usual_word_of_a_stem_else_the_shortest():
    vocabulary = Vocabulary("en")
    department, studies = vocabulary.encode(["departments", "studies"])
    vocabulary.encode(["study"])
    vocabulary.show_usual_forms([["department", "department", "departed"]])
    vocabulary.encode(["depart"])
    assert vocabulary.readable_word(department) == "department"
    assert vocabulary.readable_word(studies) == "study"


def test_stopped_tokens_keep_their_ids_to_themselves():
    vocabulary = Vocabulary(None)
    assert vocabulary.encode(["og", "eng"]).tolist() == [0, 1]
    vocabulary.stop([0])
    assert vocabulary.encode(["og", "eng", "ny"]).tolist() == [-1, 1, 2]


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(language_encoder, "MEMO_LIMIT", 10)
    monkeypatch.setattr(tokens, "TOKEN_LIMIT", 30)
    vocabulary = Vocabulary(None)
    words = [f"word{i}" for i in range(100)]
    first = vocabulary.encode(words).tolist()
    assert first == [*range(30), *[-1] * 70]
    assert vocabulary.encode(words).tolist() == first


def test_it_refuses_entries_that_have_a_word_twice():
    with pytest.raises(BadCheckpoint):
        Vocabulary("en").restore(["meadow", "meadow"])


def test_a_text_is_read_in_its_own_of_several_languages():
    # "die" and "in" are stop words of one of the two languages each: German drops "die", English
    # "in". "häuser" is German "haus"; English would leave it as it is.
    vocabulary = Vocabulary("en de")
    german = [*GERMAN, "häuser"]
    stems = [vocabulary.word(token) for token in vocabulary.encode(german) if token >= 0]
    assert stems == [stemmer("de")(word) for word in german if word not in STOP_WORDS["de"]]
    english = [*ENGLISH, "houses", "die"]
    stems = [vocabulary.word(token) for token in vocabulary.encode(english) if token >= 0]
    assert stems == [stemmer("en")(word) for word in english if word not in STOP_WORDS["en"]]
    assert stems[-1] == "die"


def test_texts_of_lexicons_are_read_in_their_own_language_too():
    lexicon = Lexicon(dict.fromkeys([*GERMAN, *ENGLISH]))
    plain, numbered = Vocabulary("en de"), Vocabulary("en de")
    for text in (GERMAN, ENGLISH, GERMAN):
        ids = np.array([lexicon.index(word) for word in text], np.int32)
        expected = plain.encode(text).tolist()
        assert numbered.encode(NumberedWords(ids, lexicon)).tolist() == expected
    copied = numbered.copy()
    assert copied.language == "en de" and copied.encode(GERMAN).tolist() == expected


@given(st.lists(st.lists(st.sampled_from("boat boats boating the 12 a 東京 京都 都".split()))))
@pytest.mark.parametrize("language", ["en", None])
def test_words_of_a_lexicon_have_the_ids_and_the_forms_of_plain_ones(language, texts):
    lexicon = Lexicon("都 boats 東京 the a boat 12 京都 boating".split())
    plain, numbered = Vocabulary(language), Vocabulary(language)
    for text in texts:
        ids = np.array([lexicon.index(word) for word in text], np.int32)
        tokens = numbered.encode(NumberedWords(ids, lexicon))
        assert tokens.tolist() == plain.encode(text).tolist()
    assert numbered.entries() == plain.entries()


def test_words_of_a_lexicon_may_be_stopped_and_have_usual_forms():
    lexicon = Lexicon("boats boat 東京 sails".split())
    ids = np.arange(4, dtype=np.int32)
    plain, numbered = Vocabulary("en"), Vocabulary("en")
    for vocabulary in (plain, numbered):
        vocabulary.encode(["東京", "boats", "sail"])
        vocabulary.show_usual_forms([["boats", "boats"]])
        vocabulary.stop([0])
    assert numbered.encode(NumberedWords(ids, lexicon)).tolist() == [1, 1, -1, 2]
    assert plain.encode([*lexicon]).tolist() == [1, 1, -1, 2]
    assert numbered.entries() == plain.entries() == ["東京", "boat\tboats", "sail"]


def test_no_more_words_of_a_lexicon_get_ids_than_there_may_be(monkeypatch):
    monkeypatch.setattr(tokens, "TOKEN_LIMIT", 2)
    vocabulary = Vocabulary(None)
    text = NumberedWords(np.array([0, 1, 2, 1], np.int32), Lexicon(["東京", "京都", "都市"]))
    assert vocabulary.encode(text).tolist() == [0, 1, -1, 1]


def test_a_text_without_stop_words_is_in_the_first_language():
    assert Vocabulary("de en").encode(["häuser"]).tolist() == [0]
    assert Vocabulary("de en").encode([]).tolist() == []
    german_first, english_first = Vocabulary("de en"), Vocabulary("en de")
    german_first.encode(["häuser"]), english_first.encode(["häuser"])
    assert (german_first.word(0), english_first.word(0)) == ("haus", "häuser")


def test_a_language_without_stop_words_is_that_of_texts_that_are_in_no_other():
    finnish = "talossa talot".split()
    vocabulary = Vocabulary("en fi")
    vocabulary.encode(finnish), vocabulary.encode(ENGLISH)
    assert vocabulary.word(0) == stemmer("fi")("talossa") != "talossa"
    assert "the" not in vocabulary.entries()


def test_keywords_and_addresses_count_in_each_language():
    vocabulary = Vocabulary("en de")
    tokens = vocabulary.encode_keywords(["häuser", "bread"])
    assert [vocabulary.word(token) for token in tokens] == ["häuser", "haus", "bread"]
    assert Vocabulary("en").encode_keywords(["the", "bread"]).tolist() == [-1, 0]
    rows = vocabulary.encode_addresses([["häuser", "bread"], ["the"], []])
    words = [[vocabulary.word(token) for token in rows.row(i)] for i in range(3)]
    assert words == [["häuser", "haus", "bread"], ["the"], []]  # "the" is no German stop word
    assert len(Vocabulary("en").encode_addresses([["the"], ["bread"]]).ids) == 1


@pytest.mark.parametrize(("words", "language"), [(GERMAN, "de"), (ENGLISH, "en"), ([], "en")])
def test_it_names_which_of_its_languages_a_text_is_in(words, language):
    assert Vocabulary("en de").language_of(words) == language
    assert Vocabulary("de").language_of(words) == "de"
    assert Vocabulary(None).language_of(words) is None


def test_shown_forms_are_counted_by_language():
    vocabulary = Vocabulary("en de")
    vocabulary.show_usual_forms([[*GERMAN, "häuser", "häuser"], [*GERMAN, "hauses"], ENGLISH])
    assert vocabulary.readable_word(vocabulary.encode_keywords(["häuser"])[-1]) == "häuser"
