"""Sentences that read like prose, filled from templates with a topic's words."""

from __future__ import annotations

import re
from random import Random

from apps.demo.vocabulary import TopicWords

_TEMPLATES = (
    "The {thing} is {acted} with {stuff} until it looks {look}.",
    "Most {people} {act} the {things} before they think about {stuff}.",
    "A {look} {thing} needs more {stuff} than a {look} one, and it shows.",
    "If the {stuff} is too {look}, the {thing} should be {acted} again within {number} days.",
    "We {acted} {number} {things} last month, and only a few of them turned out {look}.",
    "{acting} and {acting} are not the same, although many {people} treat them as one.",
    "In our {venue} the {things} are kept apart from the {stuff}, for good reason.",
    "Nobody likes a {look} {thing}, yet every {person} has made one.",
    "It takes about {number} minutes of {acting} for the {stuff} to become {look}.",
    "What matters is not the {thing} but the {stuff} that goes with it.",
    "Every {person} who has {acted} a {look} {thing} knows how {stuff} behaves.",
    "You can {act} a {thing} by hand, or let the {person} at the {venue} do it for you.",
    "When {stuff} and {stuff} meet, the {things} tend to become {look}.",
    "The difference between {look} and {look} {things} lies mostly in the {stuff}.",
    "Between {number} and {number} per cent of all {things} are {acted} in the {venue}.",
    "There is an old saying among {people} that a {thing} is never {acted} twice.",
    "Before {acting}, check the {thing} for {stuff} and for anything {look}.",
    "Our {person} {acts} the {thing} each morning and writes down how {look} it is.",
    "Without {stuff}, even the most {look} {thing} cannot be {acted} well.",
    "The {venue} was full of {things}, some {look}, some already {acted}.",
    "How long a {thing} lasts depends on the {stuff}, the {venue} and the {person}.",
    "I would rather {act} a small {thing} slowly than {act} a {look} one in haste.",
    "Since {year} the {people} here have {acted} their {things} with {look} {stuff}.",
    "Too much {stuff} makes {things} {look}; too little, and they cannot be {acted}.",
    "This {thing} was {acted} for {number} hours and still felt {look} to the touch.",
    "Ask any {person}: {look} {stuff} is worth more than {number} {look} {things}.",
    "As a rule, {things} that are {acted} early stay {look} for longer.",
    "They {act}, they {act} and in the end they have a {look} {thing} to show for it.",
    "A café near the {venue} shows photographs of {look} {things} from {year}.",
    "The first {thing} I ever {acted} was, to be honest, rather {look}.",
    "For a {look} result, {act} the {thing} while the {stuff} is still {look}.",
    "Measured over {number} weeks, the {stuff} in our {things} fell by {number} per cent.",
    "Some {people} swear by {stuff}; others, no less {look}, will only {act} with {stuff}.",
    "It may sound naïve, but {acting} the {thing} twice does help against {stuff}.",
)
_LEADS = (
    "There is more about {stuff} and {look} {things} in {link}, which every {person} should read.",
    "For {acting} a {thing}, {link} explains how {stuff} is {acted}.",
    "{people} who want to {act} {look} {things} will find {link} useful.",
    "On {things} and {stuff} see {link}.",
    "How {look} {stuff} affects a {thing} is the subject of {link}.",
    "Another {person} describes {acting} and the {venue} in {link}, with pictures of {things}.",
    "The {thing} at the {venue} ({link}) was {acted} in just this way.",
    "A different view of {look} {things} comes from {link}.",
    "We have written about {acting} {things} elsewhere: {link}.",
    "Compare the {stuff} in {link}, where the {thing} is {acted} later.",
)
_TITLES = (
    "{acting} {look} {things}",
    "The {look} {thing}",
    "{stuff} and {stuff}",
    "How to {act} a {thing}",
    "{things} in the {venue}",
    "A {person} and a {thing}",
    "{look} {stuff}",
    "Notes on {acting}",
    "{things}, {stuff} and {things}",
    "Why {people} {act}",
    "Our {look} {venue}",
    "{acting} for {people}",
)

Pattern = tuple[tuple[str, str], ...]


def _compiled(templates: tuple[str, ...]) -> tuple[Pattern, ...]:
    """Each template as pairs of a literal text and the slot after it (empty at the end)."""
    patterns = []
    for template in templates:
        pieces = [*re.split(r"\{(\w+)\}", template), ""]
        patterns.append(tuple(zip(pieces[0::2], pieces[1::2], strict=True)))
    return tuple(patterns)


SENTENCES, LEADS, TITLES = _compiled(_TEMPLATES), _compiled(_LEADS), _compiled(_TITLES)
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")


class Palette:
    """The words of a topic that one page uses, so that it repeats itself as real pages do.

    `rarity` in [0, 1]: the larger, the rarer its words.
    """

    def __init__(self, field: TopicWords, rng: Random, rarity: float, size: int = 9) -> None:
        bend = 2.8 - 2.0 * rarity
        draw = rng.random
        self.words = {}
        for slot, words in field.words.items():
            count = len(words)
            self.words[slot] = [words[int(count * draw() ** bend)] for _ in range(size)]

    def fill(self, patterns: tuple[Pattern, ...], rng: Random, link: str = "") -> str:
        """Fills in one of the patterns; `link` replaces its own slot."""
        draw, words = rng.random, self.words
        parts = []
        for literal, slot in patterns[int(draw() * len(patterns))]:
            parts.append(literal)
            choice = words.get(slot)
            if choice is not None:
                parts.append(choice[int(draw() * len(choice))])
            elif slot == "link":
                parts.append(link)
            elif slot == "number":
                parts.append(str(2 + int(draw() ** 2 * 90)))
            elif slot == "year":
                parts.append(str(1900 + int(draw() * 124)))
        text = "".join(parts)
        return _ARTICLE.sub(r"\1n ", text[0].upper() + text[1:])
