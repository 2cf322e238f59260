"""The vocabulary of the demo web, topic by topic, with inflections."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_IRREGULAR = {
    "feed": "fed",
    "dig": "dug",
    "set": "set",
    "split": "split",
    "sting": "stung",
    "breed": "bred",
    "freeze": "frozen",
    "choose": "chosen",
    "overtake": "overtaken",
    "typeset": "typeset",
}
_PLURALS = {
    "child": "children",
    "cirrus": "cirrus",
    "clematis": "clematis",
    "cod": "cod",
    "plus": "plus",
    "cumulus": "cumulus",
    "cuttlefish": "cuttlefish",
    "pipefish": "pipefish",
    "points": "points",
    "stratus": "stratus",
    "nimbus": "nimbus",
    "terminus": "termini",
    "starfish": "starfish",
    "nudibranch": "nudibranchs",
    "leaf": "leaves",
    "loaf": "loaves",
    "calf": "calves",
    "tangzhong": "tangzhong",
    "altus": "altus",
    "chalkbrood": "chalkbrood",
}
_DOUBLED = frozenset(
    "cap clip degas dig dip emit fit knit map pedal plan plug pot pug repot resignal rob scan set "
    "ship signal snorkel split star-hop stir stop strip thin transfer trap trim typeset "
    "uncap".split()
)


@dataclass(frozen=True, slots=True)
class TopicWords:
    """The words of one topic.

    `words` are by slot of a sentence: `thing`, `things`, `stuff`, `act`, `acts`, `acted`, `acting`,
    `look`, `venue`, `person`, `people`; commonest first.
    """

    name: str
    slug: str
    neighbours: tuple[str, ...]
    words: dict[str, tuple[str, ...]]


@cache
def fields() -> tuple[TopicWords, ...]:
    """The topics in order, the demo's first; the general vocabulary is last."""
    with (Path(__file__).parent / "topics.toml").open("rb") as file:
        entries = tomllib.load(file)
    return tuple(_field(entry) for entry in entries["topic"] + entries["general"])


def _field(entry: dict[str, Any]) -> TopicWords:
    acts = _split(entry["acts"])
    things, people = _split(entry["things"]), _split(entry["people"])
    return TopicWords(
        entry["name"],
        entry["slug"],
        tuple(entry["neighbours"]),
        {
            "thing": things,
            "things": tuple(map(plural, things)),
            "stuff": _split(entry["stuff"]),
            "act": acts,
            "acts": tuple(map(plural, acts)),
            "acted": tuple(map(past, acts)),
            "acting": tuple(map(gerund, acts)),
            "look": _split(entry["looks"]),
            "venue": _split(entry["venues"]),
            "person": people,
            "people": tuple(map(plural, people)),
        },
    )


def _split(text: str) -> tuple[str, ...]:
    """The distinct words of a list."""
    return tuple(dict.fromkeys(text.split()))


def plural(word: str) -> str:
    """A noun's plural; also a verb's third person."""
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word + "s"


def past(verb: str) -> str:
    """The past participle."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return _stem(verb) + "ed"


def gerund(verb: str) -> str:
    """The -ing form."""
    if verb.endswith("e") and not verb.endswith(("ee", "oe")):
        return verb[:-1] + "ing"
    return _stem(verb) + "ing"


def _stem(verb: str) -> str:
    return verb + verb[-1] if verb in _DOUBLED else verb
