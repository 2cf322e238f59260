"""What parameters are called on the form."""

from __future__ import annotations

from apps.engine.intelligence.strategies import CATALOGUE
from apps.screens.new_crawl.parameter_fields import label_of
from apps.screens.new_crawl.parameter_words import CHOICES, OWN_TITLES, TITLES, choice_words

EVERY = [(cls, parameter) for cls in CATALOGUE for parameter in cls.parameters()]
NAMES = {parameter.name for _, parameter in EVERY}
# Names of the programme, which say nothing to one who has not read it.
JARGON = (
    "theta",
    "Dmax",
    "beta",
    "alpha",
    "idf",
    "reorder",
    "cocitation",
    "delta",
    "eta",
    "corpus until",
)


def test_labels_are_words() -> None:
    for cls, parameter in EVERY:
        label = label_of(cls.id, parameter)
        assert not [word for word in JARGON if word in label], (cls.id, label)
        choices = [choice_words(parameter.name, choice) for choice in parameter.choices]
        assert not [choice for choice in choices if "_" in choice], (cls.id, label)


def test_a_choice_keeps_the_name_that_the_command_takes() -> None:
    assert choice_words("classifier", "svm") == "support vector machine (svm)"
    assert choice_words("guide", "text_window") == "Text window"
    assert choice_words("cut", "median") == "median"


def test_no_two_parameters_of_a_strategy_have_one_label() -> None:
    for cls in CATALOGUE:
        labels = [label_of(cls.id, parameter) for parameter in cls.parameters()]
        assert len(labels) == len(set(labels)), cls.id


def test_words_are_for_what_there_is() -> None:
    assert TITLES.keys() <= NAMES
    assert OWN_TITLES.keys() <= {(cls.id, parameter.name) for cls, parameter in EVERY}
    choices = {(p.name, choice) for _, p in EVERY for choice in p.choices}
    assert CHOICES.keys() <= choices
