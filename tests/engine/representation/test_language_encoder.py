from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from apps.engine.model import Ints
from apps.engine.representation import language_encoder
from apps.engine.representation.language_encoder import LanguageEncoder


class Stems:
    """Numbers stems in order of first appearance; `words` are those it was asked for."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._ids: dict[str, int] = {}

    def id(self, stem: str, word: str) -> int:
        self.words.append(word)
        return self._ids.setdefault(stem, len(self._ids))

    def ids(self, stems: Sequence[str], words: Sequence[str]) -> Ints:
        return np.array([*map(self.id, stems, words)], np.int32)


def test_its_memo_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_encoder, "MEMO_LIMIT", 10)
    stems = Stems()
    encoder = LanguageEncoder(None, stems.id, stems.ids)
    words = [f"word{i}" for i in range(100)]
    assert encoder.encode(words).tolist() == encoder.encode(words).tolist() == [*range(100)]
    assert len(encoder._memo) + len(encoder._memo._earlier) <= 10


def test_frequent_words_stay_in_the_memo_while_others_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_encoder, "MEMO_LIMIT", 20)
    stems = Stems()
    encoder = LanguageEncoder("en", stems.id, stems.ids)
    for number in range(200):
        encoder.encode(["meadows", f"word{number}"])
    assert stems.words.count("meadows") == 1
