"""What a protocol fills in, in words."""

from __future__ import annotations

from apps.papers.catalogue import protocols
from apps.papers.setting_up import Sizes
from apps.screens.papers.filled_in import filled_in, scope_words


def test_a_protocols_choices_are_named_and_other_sizes_beside_its_own() -> None:
    protocol = protocols()["lc-classifiers"]
    choices = dict(filled_in(protocol, Sizes(pages=30)))
    assert choices["Topics"] == "labels of 40 to 600 pages, at most 100, drawn with seed 1"
    assert choices["Crawlers"] == "SVM, Naive Bayes, Neural network"
    assert choices["Pages"] == "30 (the protocol’s: 500) each"
    assert scope_words(protocol, 12, None) == "12 topics × 3 crawlers × 500 pages"


def test_every_protocol_has_words() -> None:
    for protocol in protocols().values():
        assert all(name and words for name, words in filled_in(protocol, Sizes()))
        assert scope_words(protocol, None, None)
