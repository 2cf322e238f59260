"""Splits a sentence into the part that asks for pages and the part that excludes some."""

from __future__ import annotations

import re

from apps.engine.intelligence.cold_start.exclusions import EXCLUSION, wanted_part
from apps.engine.parsing.words import words
from apps.engine.representation.stop_words import STOP_WORDS

LONGEST_NAME = 8
"""Words of a proposed name."""
_OR = re.compile(r",|\s(?:or|and|nor|oder|und|noch|ou|et|o|y|e)\s", re.IGNORECASE)
_FIRST_WORD = re.compile(
    r"^(?:but|not|no|any|the|a|an|nicht|keine?|die|der|das|les?|la)\s+", re.IGNORECASE
)
_CLAUSE = re.compile(r"[.,;:!?()\n]")
_RELATIVE = re.compile(r"\s(?:that|which|who|whose|die|der|das|qui|que)\s.*$", re.IGNORECASE)
COMMON = frozenset().union(*STOP_WORDS.values())


def excluded_phrases(sentence: str) -> tuple[str, ...]:
    """`Not private homes, not shops that sell them.` → `private homes`, `shops`."""
    parts = (part for match in EXCLUSION.findall(sentence) for part in _OR.split(match))
    return tuple(dict.fromkeys(phrase for part in parts if (phrase := _phrase(part))))


def _phrase(part: str) -> str:
    text, before = _RELATIVE.sub("", f" {part.strip()} ").strip(), ""
    while text != before:
        before, text = text, _FIRST_WORD.sub("", text)
    return text if content_words(text) else ""


def content_words(text: str) -> list[str]:
    """The words of a text without those that are common in their language, each once."""
    return list(dict.fromkeys(w for w in words(text) if w not in COMMON and not w.isdigit()))


def proposed_name(sentence: str, keywords: list[str], hosts: list[str]) -> str:
    """A name from the first clause of the sentence, else of words, else of a host."""
    listed = _CLAUSE.split(wanted_part(sentence).strip(), maxsplit=1)[0].split()[:LONGEST_NAME]
    while len(listed) > 1 and listed[-1].lower() in COMMON:
        listed.pop()
    name = " ".join(listed) or ", ".join(keywords[:3]) or (hosts[0] if hosts else "")
    return name[:1].upper() + name[1:120]
