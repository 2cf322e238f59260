"""Interprets a draft: its name, words with related words, exclusions, languages, addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from apps.begin.fitting import Wish
from apps.begin.kin import kin_of
from apps.begin.models import CandidatePage, Draft
from apps.begin.sentences import content_words, excluded_phrases, proposed_name
from apps.engine.intelligence.cold_start.exclusions import wanted_part
from apps.engine.parsing.words import words
from apps.engine.representation.language_detection import detect_language, detect_languages
from apps.engine.urls import host
from apps.lists.limits import BadList
from apps.lists.reading import ListEntry, read_list
from apps.topics.definition.lines import LineError, read_urls

KIN = 4
READ_FOR_KIN = 40
"""Pages that kin is sought in."""


@dataclass(frozen=True, slots=True)
class WordKin:
    """A word of the person with kin and with translations, which count; `word` is empty for the
    words of the sentence."""

    word: str
    kin: tuple[str, ...]
    translated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Understood:
    """The interpretation of a draft."""

    name: str
    rows: tuple[WordKin, ...]
    rather_not: tuple[str, ...]
    languages: tuple[str, ...]
    entries: tuple[ListEntry, ...]
    errors: tuple[LineError, ...]

    @property
    def hosts(self) -> int:
        return len({host(entry.key) for entry in self.entries})

    @property
    def completed(self) -> int:
        """How many addresses got their https://."""
        return sum(entry.completed for entry in self.entries)

    @property
    def kin_count(self) -> int:
        return sum(len(row.kin) for row in self.rows)


def understand(draft: Draft, kin: int = KIN) -> Understood:
    """Interprets the draft and the candidate pages gathered so far."""
    entries = read_entries(draft.addresses)
    hosts = [host(entry.key) for entry in entries]
    pages = read_texts(draft)
    rows = [
        WordKin(word, tuple(_kin_in(draft, word, pages, kin)), _translated(draft, [word]))
        for word in draft.words
    ]
    if rest := sentence_words(draft):
        rows.append(WordKin("", tuple(rest), _translated(draft, rest)))
    return Understood(
        name=draft.name or proposed_name(draft.sentence, draft.words, hosts),
        rows=tuple(rows),
        rather_not=rather_not(draft),
        languages=languages_of(draft, pages),
        entries=entries,
        errors=read_urls(draft.addresses).errors if draft.addresses.strip() else (),
    )


def read_texts(draft: Draft) -> list[tuple[str, str]]:
    """Text and language of the first pages read that were not answered by no."""
    if not draft.pk:
        return []
    read = draft.candidates.filter(fetch=CandidatePage.FetchState.FETCHED)
    meant = read.exclude(answer=CandidatePage.GivenAnswer.NO)
    return list(meant.values_list("text", "language")[:READ_FOR_KIN])


def _kin_in(draft: Draft, word: str, pages: Sequence[tuple[str, str]], most: int) -> list[str]:
    """The kin of a word in the pages read and by the word vectors, in turns."""
    dropped = {each.lower() for each in (*draft.removed, *draft.words)}
    near = [each for each in draft.near.get(word, ()) if each not in dropped]
    beside = kin_of(word, pages, draft.removed, most)
    turns = (each for pair in zip_longest(beside, near) for each in pair if each)
    return list(dict.fromkeys(turns))[:most]


def translated_words(draft: Draft) -> tuple[str, ...]:
    """The translations of the draft's words and of its sentence's that were not removed."""
    return _translated(draft, [*draft.words, *sentence_words(draft)])


def _translated(draft: Draft, listed: Sequence[str]) -> tuple[str, ...]:
    dropped = {each.lower() for each in (*draft.removed, *draft.words)}
    those = (each for word in listed for each in draft.translations.get(word.lower(), ()))
    return tuple(dict.fromkeys(each for each in those if each not in dropped))


def sentence_words(draft: Draft) -> list[str]:
    """The words of the sentence that are not among the person's words and were not removed."""
    listed = set(words(" ".join(draft.words))) | {each.lower() for each in draft.removed}
    return [word for word in content_words(wanted_part(draft.sentence)) if word not in listed]


def read_entries(text: str) -> tuple[ListEntry, ...]:
    """The addresses of the typed list; lines without one are left to its errors."""
    try:
        return read_list(text).entries
    except BadList:
        return ()


def rather_not(draft: Draft) -> tuple[str, ...]:
    """The words that count against a page: those that the sentence excludes and those that the
    person added, without removed ones."""
    removed = {each.lower() for each in draft.removed}
    phrases = (*excluded_phrases(draft.sentence), *draft.rather_not)
    return tuple(dict.fromkeys(each for each in phrases if each.lower() not in removed))


def languages_of(draft: Draft, pages: Sequence[tuple[str, str]] = ()) -> tuple[str, ...]:
    """The chosen languages, else those of the sentence and of the pages read."""
    if draft.language:
        return tuple(draft.language.split())
    own = detect_language([words(draft.sentence)])
    of_pages = detect_languages([words(text)[:500] for text, _ in pages]) or ""
    return tuple(dict.fromkeys(each for each in (own, *of_pages.split()) if each))


def wish_of(draft: Draft) -> Wish:
    """The query by which the fit of pages is scored, without words removed from the sentence."""
    return Wish(
        sentence=" ".join(sentence_words(draft)),
        words=[*draft.words, *translated_words(draft)],
        rather_not=rather_not(draft),
        languages=languages_of(draft) or ("en",),
    )


def queries_of(draft: Draft) -> tuple[str, ...]:
    """The queries for search engines: the person's further queries, then their words first."""
    sentence = " ".join(sentence_words(draft)[:8])
    together = " ".join(draft.words[:4])
    translated = " ".join(translated_words(draft)[:4])
    phrases = (*draft.phrases, together, sentence, translated, *draft.words)
    return tuple(dict.fromkeys(filter(None, phrases)))


def wanted_words(draft: Draft) -> tuple[str, ...]:
    """Each word of the wish, once."""
    listed = content_words(" ".join(draft.words))
    return tuple(dict.fromkeys([*listed, *sentence_words(draft)]))
