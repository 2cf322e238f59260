from __future__ import annotations

import pytest

from apps.engine.representation.stop_words import STOP_WORDS


@pytest.mark.parametrize("language", sorted(STOP_WORDS))
def test_stop_words_are_words_as_the_parser_gives_them(language):
    assert all(word.isalpha() and word == word.lower() for word in STOP_WORDS[language])
