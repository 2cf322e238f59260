"""Small topics made of sentences, for the tests of what is learned from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from apps.engine.model import Document, Links
from apps.engine.topics import Example, Topic

GLUE = "the of and to in is that it for was on are as with they be at this have from".split()
SHARED = [f"shared{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
SEAGRASS = "eelgrass zostera meadow shoots seed restoration estuary blades rhizome bay".split()
TRAINS = "locomotive railway signal carriage timetable station boiler gauge siding axle".split()


def page(url: str, words: list[str], links: int = 0, numbers: int = 0) -> Document:
    """A page of these words with so many distinct links."""
    none = np.zeros(links, np.int32)
    targets = tuple(f"http://other.test/{i}" for i in range(links))
    made = Links(
        targets,
        np.arange(links, dtype=np.int32),
        none,
        none,
        (None,) * links,
        np.zeros(links, np.bool_),
    )
    return Document(url, url, f"Page {url[-3:]}", words, len(words), 0, made, numbers=numbers)


def prose(rng: np.random.Generator, subject: list[str], share: float, length: int) -> list[str]:
    """Words of a subject among function words and words that all subjects share."""
    kinds = rng.random(length)
    pick = [
        rng.choice(subject if kind < share else GLUE if kind < share + 0.4 else SHARED)
        for kind in kinds
    ]
    return [str(word) for word in pick]


@pytest.fixture
def subjects():
    """The words of the relevant pages, and those of the others."""
    return set(SEAGRASS), set(TRAINS)


@pytest.fixture
def make_page():
    return page


@pytest.fixture
def make_examples():
    """Examples of both classes; `share` of the words belong to the subject."""

    def make(positives: int, negatives: int, seed: int = 0, share: float = 0.2, length: int = 80):
        rng = np.random.default_rng(seed)
        wanted = [True] * positives + [False] * negatives
        return tuple(
            Example(
                url,
                page(url, prose(rng, SEAGRASS if relevant else TRAINS, share, length)),
                relevant,
            )
            for i, relevant in enumerate(wanted)
            for url in [f"http://site{seed}.test/{'sea' if relevant else 'rail'}/{i:03}"]
        )

    return make


@pytest.fixture
def make_topic(make_examples):
    """A topic with keywords, training and evaluation examples, changed by keyword arguments."""

    def make(positives: int = 8, negatives: int = 12, seed: int = 0, **changes):
        topic = Topic(
            "Seagrass",
            keywords=("eelgrass meadow", "the Zostera"),
            training=make_examples(positives, negatives, seed),
            evaluation=make_examples(positives, negatives, seed + 1),
        )
        return replace(topic, **changes)

    return make
