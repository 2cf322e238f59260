"""The language of every search box.

Words, "phrases", −excluded ones, OR between alternatives, an asterisk after the beginning of a word
(`sour*`), `one NEAR other` within ten words of each other (`NEAR/3`: three), and prefixes:
`title:` before a word or phrase looks in titles only, `url:` for a part of the address, `site:` for
a host with those below it, `lang:` for a language, `after:` for pages published on a day or later,
`before:` for earlier ones. Each list names the prefixes that it has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from apps.engine.parsing.words import words
from apps.schemas.misread import NO_WORD, misread_values
from apps.search.days import first_day
from apps.search.languages import language_code
from apps.search.stems import stemming

MOST_CLAUSES = 16
LONGEST_WORD = 60
TITLE, URL, SITE = "title", "url", "site"
LANG, BEFORE, AFTER = "lang", "before", "after"
PAGES = (TITLE, URL, SITE, LANG, BEFORE, AFTER)
"""The prefixes of every search for pages."""
FIELDS = (URL, SITE, LANG, BEFORE, AFTER)
"""Those that look in the page's columns instead of its words."""
_PIECE = re.compile(
    r"(?P<minus>[-−](?=\S))?(?:(?P<prefix>[^\W\d_]+):(?![/:])(?=\S))?"
    r'(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))'
)
_NEAR = re.compile(r"NEAR(?:/(\d{1,3}))?", re.ASCII)
WITHIN, MOST_WITHIN = 10, 30
_HOST = re.compile(r"[\w.-]+(:\d+)?")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that are adjacent in a page, `text` as they were typed.

    `prefix` is empty for words anywhere in the page; the last word is only the beginning of one if
    `begins`. With `near`, that phrase stands before or after with at most `within` words between.
    """

    words: tuple[str, ...]
    prefix: str = ""
    begins: bool = False
    text: str = ""
    near: Phrase | None = None
    within: int = 0


@dataclass(frozen=True, slots=True)
class Clause:
    """Phrases of which a page must have at least one, or (`excluded`) none."""

    phrases: tuple[Phrase, ...]
    excluded: bool = False

    @property
    def in_fields(self) -> bool:
        """Whether a phrase of it is looked for in a column."""
        return any(phrase.prefix in FIELDS for phrase in self.phrases)


def read_query(text: str, prefixes: Sequence[str] = PAGES) -> tuple[Clause, ...]:
    """The clauses of a search, all of which a page must satisfy; empty for an empty search.

    A word that the tokenizer would split, such as `well-known`, is a phrase. `OR` between two of
    them makes one clause, `NEAR` one phrase of both; anywhere else they are ignored, like whatever
    `query_errors` names. A word longer than those of the index is in no page.
    """
    clauses: list[Clause] = []
    either, within = False, 0
    for piece in _PIECE.finditer(text):
        phrase = _phrase(piece)
        if piece.group() == "OR":
            either = True
        elif near := _NEAR.fullmatch(piece.group()):
            within = _within(near)
        elif _has_words(phrase) and not _error(piece, prefixes):
            clause = Clause((phrase,), bool(piece["minus"]))
            if either and clauses and clause.excluded == clauses[-1].excluded is False:
                clause = Clause(clauses.pop().phrases + clause.phrases)
            elif within and clauses and _may_be_near(clauses[-1], clause):
                clause = _joined(clauses, phrase, within)
            clauses.append(clause)
            either, within = False, 0
    return tuple(clauses[:MOST_CLAUSES])


def _joined(clauses: list[Clause], phrase: Phrase, within: int) -> Clause:
    """The clause of the last phrase and one near it; of `a NEAR b NEAR c`, c is near b."""
    before = clauses[-1].phrases[-1]
    if before.near is None:
        clauses.pop()
        return Clause((replace(before, near=phrase, within=within),))
    return Clause((replace(before.near, near=phrase, within=within),))


def _may_be_near(before: Clause, after: Clause) -> bool:
    phrases = (*before.phrases, *after.phrases)
    plain = not any(phrase.prefix for phrase in phrases)
    return plain and len(phrases) == 2 and not before.excluded and not after.excluded


def _within(near: re.Match[str]) -> int:
    return min(MOST_WITHIN, max(1, int(near[1]))) if near[1] else WITHIN


def query_errors(text: str, prefixes: Sequence[str]) -> tuple[str, ...]:
    """Sentences about the parts of a search that cannot be looked for."""
    every = list(_PIECE.finditer(text))
    pieces = [each for each in every if each.group() != "OR" and not _NEAR.fullmatch(each.group())]
    errors = [error for piece in pieces if (error := _error(piece, prefixes))]
    errors += _near_errors(every)
    if len(pieces) > MOST_CLAUSES:
        most = f"A search has at most {MOST_CLAUSES} words and phrases; the others are left out."
        errors.append(most)
    if text.strip(" \0") and not errors and not read_query(text, prefixes):
        errors += [each.message for each in misread_values("q", [text], lambda _: False, NO_WORD)]
    return tuple(errors)


def _near_errors(pieces: Sequence[re.Match[str]]) -> Iterator[str]:
    """The errors of each NEAR."""
    for position, piece in enumerate(pieces):
        near = _NEAR.fullmatch(piece.group())
        if near is None:
            continue
        beside = [*pieces[max(0, position - 1) : position], *pieces[position + 1 : position + 2]]
        if len(beside) < 2 or not all(map(_is_plain, beside)):
            yield f"“{near.group()}” stands between two words or phrases without minus or prefix."
        elif near[1] and not 1 <= int(near[1]) <= MOST_WITHIN:
            yield f"“{near.group()}”: at most {MOST_WITHIN} words stand between, as in NEAR/5."


def _is_plain(piece: re.Match[str]) -> bool:
    is_operator = piece.group() == "OR" or _NEAR.fullmatch(piece.group())
    return not (is_operator or piece["minus"] or piece["prefix"])


def _error(piece: re.Match[str], prefixes: Sequence[str]) -> str:
    """Why a piece cannot be looked for, or empty."""
    prefix, typed = _prefix(piece), _typed(piece)
    if prefix and prefix not in prefixes:
        return _unknown_prefix(prefix, prefixes)
    if not prefix and typed.endswith(":") and typed[:-1].lower() in prefixes:
        return f"“{typed}” stands right before a word or phrase, without a space."
    if "*" in typed.removesuffix("*") and prefix != URL:
        return f"“{typed}”: an asterisk stands only at the end of a word."
    if prefix == SITE and not _HOST.fullmatch(typed):
        return f"“{typed}” is not a host; site: stands before one, as in site:example.org."
    if prefix == LANG and language_code(typed) is None:
        return f"“{typed}” is not a language; write lang:de or lang:German."
    if prefix in (BEFORE, AFTER) and first_day(typed) is None:
        return (
            f"“{typed}” is not a day; write {prefix}:2026, {prefix}:2026-05 or {prefix}:2026-05-01."
        )
    return ""


def stemmed(clauses: Iterable[Clause], languages: Iterable[str | None]) -> tuple[Clause, ...]:
    """The clauses by stems, each phrase once for each stemming language of the pages; what is
    looked for in columns stays as it is."""
    stems = [stemming(language) for language in dict.fromkeys(languages)] or [stemming(None)]
    return tuple(
        replace(clause, phrases=tuple(dict.fromkeys(_variants(clause.phrases, stems))))
        for clause in clauses
    )


def _variants(phrases: Sequence[Phrase], stems: Sequence[Callable[[str], str]]) -> Iterator[Phrase]:
    for phrase in phrases:
        if phrase.prefix in FIELDS:
            yield phrase
            continue
        for stem in stems:
            for variant in _stems(phrase, stem):
                if phrase.near is None:
                    yield variant
                    continue
                for near in _stems(phrase.near, stem):
                    yield replace(variant, near=near, within=phrase.within)


def _stems(phrase: Phrase, stem: Callable[[str], str]) -> Iterator[Phrase]:
    words = tuple(map(stem, phrase.words))
    yield Phrase(words, phrase.prefix)
    if phrase.begins:
        # The index has stems: `baking*` is the beginning of none, but a word of one.
        yield Phrase((*words[:-1], phrase.words[-1]), phrase.prefix, begins=True)


def _phrase(piece: re.Match[str]) -> Phrase:
    typed = _typed(piece)
    split = words(typed)
    short = [word for word in split if len(word) <= LONGEST_WORD] or split
    begins = typed.endswith("*") and _prefix(piece) not in FIELDS
    return Phrase(tuple(short), _prefix(piece), begins, typed)


def _has_words(phrase: Phrase) -> bool:
    return bool(phrase.text if phrase.prefix in FIELDS else phrase.words)


def _typed(piece: re.Match[str]) -> str:
    return str(piece["phrase"] if piece["phrase"] is not None else piece["word"])


def _prefix(piece: re.Match[str]) -> str:
    return (piece["prefix"] or "").lower()


def _unknown_prefix(prefix: str, prefixes: Sequence[str]) -> str:
    if not prefixes:
        return f"This search has no prefix “{prefix}:”; put the words in quotes."
    *others, last = [f"{each}:" for each in prefixes]
    offered = f"{', '.join(others)} or {last}" if others else last
    return f"“{prefix}:” is not a prefix of this search; give {offered}, or put it in quotes."
