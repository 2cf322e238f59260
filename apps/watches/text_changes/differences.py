"""The differences between two main texts of a page: by blocks, then by words.

No change: a difference of values that pass by themselves (`passing_values`) or outside the text
(`boilerplate`), a moved block, paragraphs divided anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from apps.watches.text_changes.alignment import MOST_WORD_PAIRS, opcodes, word_opcodes
from apps.watches.text_changes.boilerplate import boilerplate_kinds
from apps.watches.text_changes.headlines import Headline, headline_of
from apps.watches.text_changes.noise_rules import is_passing, passing_noise
from apps.watches.text_changes.passing_values import (
    Noise,
    ReadWord,
    VisitTimes,
    read_words,
    word_number,
)

LEAST_ALIKE = 0.4
"""Share of their words that two blocks have in common, if one has become the other."""
MOST_PAIRS = 40_000
"""Pairs of blocks that are compared for their likeness; beyond, all of them are in or out."""
MOST_IN_ALL = 20_000_000
"""Pairs of words of two texts that are compared; blocks beyond are in or out."""


class Edit(StrEnum):
    """The edit of a block, or of words within it."""

    SAME = "same"
    IN = "in"
    OUT = "out"
    CHANGED = "changed"
    MOVED = "moved"
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Fragment:
    """Words of a block as written that are the same, in or out."""

    edit: Edit
    text: str

    @property
    def words(self) -> str:
        """The text without the blanks after it, which are not marked."""
        return self.text.rstrip()

    @property
    def blank(self) -> str:
        """The blanks after the words."""
        return self.text[len(self.words) :]


@dataclass(frozen=True, slots=True)
class Passage:
    """A block before and after, of which one is empty if it is in or out. `fragments` are those of
    both in one order; `noise` is why a difference is passed over."""

    edit: Edit
    before: str
    after: str
    fragments: tuple[Fragment, ...] = ()
    noise: Noise | None = None

    @property
    def counts(self) -> bool:
        """Whether the text has changed by it."""
        return self.edit in (Edit.IN, Edit.OUT, Edit.CHANGED)


@dataclass(frozen=True, slots=True)
class Difference:
    """Two texts compared. `passages` are in the order of the later text, what is gone at the
    end of what it stood behind; `words_before` and `words_after` count those of the texts."""

    passages: tuple[Passage, ...]
    words_in: int
    words_out: int
    words_before: int
    words_after: int

    @property
    def is_change(self) -> bool:
        """Whether the text has changed."""
        return any(passage.counts for passage in self.passages)

    @property
    def share(self) -> float:
        """The share of the words of both texts that are in or out, from 0 to 1."""
        both = self.words_before + self.words_after
        return (self.words_in + self.words_out) / both if both else 0.0

    def blocks(self, edit: Edit) -> int:
        """How many blocks that became of."""
        return sum(passage.edit is edit for passage in self.passages)

    @property
    def headline(self) -> Headline:
        """What has changed, in one line."""
        return headline_of(
            [
                (fragment.edit.value, fragment.text)
                for fragment in (*passage.fragments, Fragment(Edit.SAME, "\n"))
            ]
            for passage in self.passages
            if passage.counts
        )

    @property
    def summary(self) -> str:
        """The headline as plain text; empty without a change."""
        return self.headline.text if self.is_change else ""


@dataclass(frozen=True)
class _Block:
    text: str
    noise: Noise | None

    @cached_property
    def words(self) -> tuple[ReadWord, ...]:
        return read_words(self.text)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(word.key for word in self.words if word.key)


class _Effort:
    """How much is left of the pairs of words that a comparison may look at."""

    def __init__(self) -> None:
        self._left = MOST_IN_ALL

    def allows(self, old: Sequence[object], new: Sequence[object]) -> bool:
        """Whether these may be compared, too; if so, they are counted."""
        pairs = len(old) * len(new)
        self._left -= pairs if pairs <= MOST_WORD_PAIRS else pairs // 100
        return self._left >= 0


def compare_texts(before: str, after: str, times: VisitTimes | None = None) -> Difference:
    """Compares two texts, a block a line. With the `times` of both visits a day that does not
    follow it is a change; without it no day is one, unless a part of it is not written."""
    old, new = _blocks(before), _blocks(after)
    old_text, new_text = ([b for b in side if b.noise is None] for side in (old, new))
    passages = [
        *_align(old_text, new_text, times, _Effort()),
        *_passed_over(old, new),
    ]
    counted = [passage for passage in passages if passage.counts]
    return Difference(
        tuple(passages),
        count_words(counted, Edit.IN),
        count_words(counted, Edit.OUT),
        sum(word_number(block.text) for block in old_text),
        sum(word_number(block.text) for block in new_text),
    )


def _blocks(text: str) -> list[_Block]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [_Block(line, kind) for line, kind in zip(lines, boilerplate_kinds(lines), strict=True)]


def _passed_over(old: Sequence[_Block], new: Sequence[_Block]) -> Iterator[Passage]:
    """The blocks of menus, advertisements and the like that are in one text alone."""
    before, after = ({b.text for b in side if b.noise} for side in (old, new))
    for block in old:
        if block.noise and block.text not in after:
            yield Passage(Edit.PASSED, block.text, "", noise=block.noise)
    for block in new:
        if block.noise and block.text not in before:
            yield Passage(Edit.PASSED, "", block.text, noise=block.noise)


def _align(
    old: Sequence[_Block], new: Sequence[_Block], times: VisitTimes | None, effort: _Effort
) -> list[Passage]:
    passages: list[Passage] = []
    # Only blocks that the other text does not have are read word for word.
    shared = {b.text for b in old} & {b.text for b in new}
    keys = [[b.text if b.text in shared else b.keys for b in side] for side in (old, new)]
    for tag, i, j, k, m in opcodes(keys[0], keys[1]):
        if tag == "equal":
            for one, other in zip(old[i:j], new[k:m], strict=True):
                passages.extend(_same(one, other, times, effort))
        else:
            passages.extend(_replaced(old[i:j], new[k:m], times, effort))
    return _without_moves(passages)


def _same(old: _Block, new: _Block, times: VisitTimes | None, effort: _Effort) -> Iterator[Passage]:
    """Two blocks whose words are alike but for passing values."""
    if old.text == new.text or [w.text for w in old.words if w.value] == [
        w.text for w in new.words if w.value
    ]:
        yield Passage(Edit.SAME, old.text, new.text)
    elif noise := passing_noise(old.words, new.words, times):
        yield Passage(Edit.PASSED, old.text, new.text, noise=noise)
    else:
        yield from _changed(old, new, effort)


def _changed(old: _Block, new: _Block, effort: _Effort) -> Iterator[Passage]:
    if effort.allows(old.keys, new.keys):
        fragments = tuple(_fragments(old.words, new.words))
        yield Passage(Edit.CHANGED, old.text, new.text, fragments)
    else:
        yield _alone(new, Edit.IN)
        yield _alone(old, Edit.OUT)


def _fragments(old: Sequence[ReadWord], new: Sequence[ReadWord]) -> Iterator[Fragment]:
    """The words of both in one order, neighbours together; blanks belong to the word before."""
    before, after = _units(old), _units(new)
    for tag, i, j, k, m in word_opcodes([u[0] for u in before], [u[0] for u in after]):
        gone, come = ("".join(u[1] for u in side) for side in (before[i:j], after[k:m]))
        if tag == "equal":
            yield Fragment(Edit.SAME, come)
            continue
        if gone:
            yield Fragment(Edit.OUT, gone)
        if come:
            yield Fragment(Edit.IN, come)


def _units(words: Sequence[ReadWord]) -> list[tuple[str, str]]:
    """What is compared of each word, and the word with what follows it up to the next one."""
    units: list[tuple[str, str]] = []
    for word in words:
        if word.key or not units:
            units.append((word.text if word.value else word.key, word.text))
        else:
            units[-1] = (units[-1][0], units[-1][1] + word.text)
    return units


def _replaced(
    old: Sequence[_Block], new: Sequence[_Block], times: VisitTimes | None, effort: _Effort
) -> Iterator[Passage]:
    """Blocks that have become others: the same words divided anew, pairs that are alike, and the
    rest, which are in or out."""
    if [key for b in old for key in b.keys] == [key for b in new for key in b.keys]:
        joined = [_Block(" ".join(b.text for b in side), None) for side in (old, new)]
        if joined[0].keys:
            yield from _same(joined[0], joined[1], times, effort)
        return
    partners = _partners(old, new)
    taken = set(partners.values())
    for number, block in enumerate(new):
        if number in partners:
            yield from _changed(old[partners[number]], block, effort)
        else:
            yield _alone(block, Edit.IN)
    yield from (_alone(block, Edit.OUT) for n, block in enumerate(old) if n not in taken)


def _alone(block: _Block, edit: Edit) -> Passage:
    before, after = (block.text, "") if edit is Edit.OUT else ("", block.text)
    noise = is_passing(block.words)
    if noise is not None or not block.keys:
        return Passage(Edit.PASSED, before, after, noise=noise)
    return Passage(edit, before, after, (Fragment(edit, block.text),))


def _partners(old: Sequence[_Block], new: Sequence[_Block]) -> dict[int, int]:
    """Which earlier block each later one was, the most alike first."""
    if len(old) * len(new) > MOST_PAIRS:
        return {}
    words = sum(len(block.keys) for block in (*old, *new))
    if words * max(len(old), len(new)) > MOST_IN_ALL:
        return {}
    counts = [Counter(b.keys) for b in old], [Counter(b.keys) for b in new]
    pairs = sorted(
        (
            (-_alikeness(one, other), n, m)
            for m, one in enumerate(counts[0])
            for n, other in enumerate(counts[1])
        )
    )
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for less, n, m in pairs:
        if -less >= LEAST_ALIKE and n not in partners and m not in taken:
            partners[n] = m
            taken.add(m)
    return partners


def _alikeness(one: Counter[str], other: Counter[str]) -> float:
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 0.0


def _without_moves(passages: Sequence[Passage]) -> list[Passage]:
    """Blocks that are out at one point and in at another have moved."""
    gone = Counter(p.before for p in passages if p.edit is Edit.OUT)
    moved = gone & Counter(p.after for p in passages if p.edit is Edit.IN)
    left = {Edit.OUT: Counter(moved), Edit.IN: Counter(moved)}
    kept: list[Passage] = []
    for passage in passages:
        text = passage.before or passage.after
        if passage.edit in left and left[passage.edit][text]:
            left[passage.edit][text] -= 1
            if passage.edit is Edit.IN:
                kept.append(Passage(Edit.MOVED, text, text))
        else:
            kept.append(passage)
    return kept


def count_passage(passage: Passage) -> Passage:
    """A passage that was passed over, as one that counts."""
    if passage.before and passage.after:
        old, new = read_words(passage.before), read_words(passage.after)
        return Passage(Edit.CHANGED, passage.before, passage.after, tuple(_fragments(old, new)))
    edit = Edit.OUT if passage.before else Edit.IN
    fragments = (Fragment(edit, passage.before or passage.after),)
    return Passage(edit, passage.before, passage.after, fragments)


def count_words(passages: Sequence[Passage], edit: Edit) -> int:
    """Words of the fragments that are in, or out."""
    fragments = (fragment for passage in passages for fragment in passage.fragments)
    return sum(word_number(fragment.text) for fragment in fragments if fragment.edit is edit)
