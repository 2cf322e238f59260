"""Conditions on the columns of a page, for `url:`, `site:`, `lang:`, `before:` and `after:`."""

from __future__ import annotations

from dataclasses import dataclass

from apps.search.days import first_day
from apps.search.languages import language_code
from apps.search.query import AFTER, BEFORE, FIELDS, LANG, URL, Clause, Phrase
from apps.search.sql import Condition


@dataclass(frozen=True, slots=True)
class PageColumns:
    """The names of the columns in SQL."""

    url: str
    host: str
    language: str
    published: str


def field_conditions(clause: Clause, columns: PageColumns) -> list[Condition]:
    """A condition for each phrase of the clause that is looked for in columns."""
    phrases = (phrase for phrase in clause.phrases if phrase.prefix in FIELDS)
    return [_condition(phrase, columns) for phrase in phrases]


def _condition(phrase: Phrase, columns: PageColumns) -> Condition:
    text = phrase.text.lower()
    if phrase.prefix == LANG:
        return Condition(f"{columns.language} = %s", (language_code(text),))
    if phrase.prefix in (BEFORE, AFTER):
        by = "<" if phrase.prefix == BEFORE else ">="
        # Pages without a date have neither: COALESCE, since NOT of NULL would be NULL.
        compared = f"{columns.published} {by} %s"
        return Condition(f"COALESCE({compared}, FALSE)", (str(first_day(text)),))
    like = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    if phrase.prefix == URL:
        return Condition(f"LOWER({columns.url}) LIKE %s ESCAPE '!'", (f"%{like}%",))
    host = columns.host
    return Condition(f"{host} = %s OR {host} LIKE %s ESCAPE '!'", (text, f"%.{like}"))
