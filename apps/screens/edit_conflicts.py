"""Edit conflicts of a topic or a watch: merges the sent version with one stored since the form was
opened, field by field.

The form carries a digest of each field as it was (`base`). A field that has changed only in one of
the two versions is taken from that one; where both have changed it, the person chooses.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from django import forms
from django.http import QueryDict

from apps.figures.quantities import number_of
from apps.topics.definition.lines import read_keywords
from apps.topics.definition.reading import LISTS

BASE = "base"
MERGE = "merge"
"""The field for how two versions become one: `both` or `mine`."""
PRESENT = "present"
"""The digests of the stored version that the person has seen beside the typed one."""
ENTRIES = {
    "seeds": "seed",
    "positives": "positive example",
    "negatives": "negative example",
    "targets": "target",
    "evaluation_positives": "positive example for judging",
    "evaluation_negatives": "negative example for judging",
    "inlinks": "in-link count",
    "backlinks": "back-link page",
    "corpus": "page of the corpus",
    "keywords": "keyword",
}


@dataclass(frozen=True, slots=True)
class FieldVersions:
    """A field whose stored text differs from the typed one; `stored_is_new` and `typed_is_new` say
    which of them differ from the text that the form was opened with."""

    name: str
    label: str
    stored: str
    typed: str
    stored_is_new: bool
    typed_is_new: bool

    @property
    def clashes(self) -> bool:
        return self.stored_is_new and self.typed_is_new

    @property
    def is_list(self) -> bool:
        return self.name in ENTRIES

    def words(self, old: str, new: str) -> str:
        """`2 seeds were added`, `the description was changed`."""
        if not self.is_list:
            return f"the {self.label.lower()} was changed"
        before, after = _entries(self.name, old), _entries(self.name, new)
        parts = [
            (len(set(after) - set(before)), "added"),
            (len(set(before) - set(after)), "removed"),
        ]
        entry = ENTRIES[self.name]
        phrases = [
            f"{number_of(number, entry)} {'was' if number == 1 else 'were'} {verb}"
            for number, verb in parts
            if number
        ]
        return " and ".join(phrases) or f"the {self.label.lower()} were put in another order"

    def merged(self, choice: str) -> str:
        """The field's text in the merged version; `choice` counts where both have changed it."""
        if not self.clashes:
            return self.stored if self.stored_is_new else self.typed
        if choice == "stored":
            return self.stored
        if choice == "both" and self.is_list:
            return _united(self.name, self.stored, self.typed)
        return self.typed


@dataclass(frozen=True, slots=True)
class EditConflict:
    """The fields in which the stored and the typed version differ, if at least one was changed
    elsewhere.

    `present` are the digests of the stored version.
    """

    fields: tuple[FieldVersions, ...]
    present: str

    @property
    def sentence(self) -> str:
        """`There 1 seed was added; here 2 keywords were added.`"""
        there = [f.words(f.typed, f.stored) for f in self.fields if not f.typed_is_new]
        here = [f.words(f.stored, f.typed) for f in self.fields if not f.stored_is_new]
        clashing = [f"the {f.label.lower()}" for f in self.fields if f.clashes]
        parts = [
            f"There {_join(there)}" if there else "",
            f"here {_join(here)}" if here else "",
            f"both versions change {_join(clashing)}" if clashing else "",
        ]
        text = "; ".join(filter(None, parts))
        return f"{text[:1].upper()}{text[1:]}."

    def settles(self, sent: QueryDict) -> bool:
        """Whether the person has seen this stored version and chosen."""
        return MERGE in sent and sent.get(PRESENT) == self.present

    def merged(self, sent: QueryDict) -> QueryDict:
        """The sent version merged with the stored version's changes; with `mine` the sent version
        alone."""
        result = sent.copy()
        result[BASE] = self.present
        if sent.get(MERGE) != "both":
            return result
        for field in self.fields:
            _put(result, field.name, field.merged(sent.get(f"take-{field.name}", "mine")))
        return result


def base_of(form: forms.Form) -> str:
    """The digests of a form's first values, by field."""
    return json.dumps({name: _digest(name, text) for name, text in _first(form).items()})


def edit_conflict(sent: QueryDict, typed: forms.Form, stored: forms.Form) -> EditConflict | None:
    """The difference between the stored and the typed version; None if nothing has changed in it
    since the form was opened. A form without digests, of an API's client, overwrites."""
    base = _digests(sent.get(BASE, ""))
    present = _first(stored)
    if base is None or not any(base.get(name) != _digest(name, present[name]) for name in present):
        return None
    fields = (
        FieldVersions(
            name=name,
            label=str(typed[name].label),
            stored=text,
            typed=_text(typed[name].value()),
            stored_is_new=base.get(name) != _digest(name, text),
            typed_is_new=base.get(name) != _digest(name, _text(typed[name].value())),
        )
        for name, text in present.items()
    )
    differing = [f for f in fields if _digest(f.name, f.stored) != _digest(f.name, f.typed)]
    if not any(field.stored_is_new for field in differing):
        return None
    return EditConflict(tuple(differing), base_of(stored))


def _first(form: forms.Form) -> dict[str, str]:
    return {name: _text(value) for name, value in form.initial.items() if name in form.fields}


def _text(value: object) -> str:
    return "" if value is None else str(getattr(value, "pk", value))


def _entries(name: str, text: str) -> list[str]:
    if name == "keywords":
        return list(read_keywords(text))
    lines = text.splitlines() if name in LISTS else [text]
    return [line.strip() for line in lines if line.strip()]


def _digest(name: str, text: str) -> str:
    plain = "\n".join(_entries(name, text))
    return hashlib.blake2b(plain.encode(), digest_size=8).hexdigest()


def _digests(text: str) -> dict[str, str] | None:
    try:
        read = json.loads(text)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def _united(name: str, stored: str, typed: str) -> str:
    """All entries of the stored list, then those typed that it has not."""
    first = _entries(name, stored)
    entries = [*first, *(entry for entry in _entries(name, typed) if entry not in set(first))]
    return (", " if name == "keywords" else "\n").join(entries)


def _put(sent: QueryDict, name: str, text: str) -> None:
    if name == "language":  # two selects
        sent["language"], _, sent["language_also"] = text.partition(" ")
    else:
        sent[name] = text


def _join(parts: Iterable[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
