"""The columns of a row: name, type and meaning, for every format that has columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class ValueType(StrEnum):
    """The type of a column's values."""

    TEXT = "text"
    WHOLE = "whole number"
    DECIMAL = "decimal number"
    FLAG = "true or false"
    DAY = "date"
    MOMENT = "date and time, UTC"


@dataclass(frozen=True, slots=True)
class RowColumn:
    """A column; `words` say what it means. Not `usual`: only in files for which it is chosen.

    Spreadsheets show a decimal number with so many `digits` after the point, unrounded without.
    """

    name: str
    kind: ValueType
    words: str
    usual: bool = True
    digits: int | None = None


PROBABILITY_DIGITS = 4
SIMILARITY = "similarity"
"""Usual in files of a search for near pages."""

_EVERY = (
    RowColumn("page", ValueType.WHOLE, "number of the page in its crawl, from 1", usual=False),
    RowColumn("title", ValueType.TEXT, "title as on the page, without the site’s name"),
    RowColumn("author", ValueType.TEXT, "author that the page or its file declares", usual=False),
    RowColumn("language", ValueType.TEXT, "code of the text’s main language"),
    RowColumn("published", ValueType.DAY, "day of publication; of a month its first"),
    RowColumn(
        "published_source",
        ValueType.TEXT,
        "what names that day: head, page, address, title or file",
    ),
    RowColumn("published_precision", ValueType.TEXT, "day or month", usual=False),
    RowColumn(
        "reserved", ValueType.TEXT, "what the page or its headers reserve, as written", usual=False
    ),
    RowColumn(
        "site_reserved",
        ValueType.TEXT,
        "what robots.txt, tdmrep.json or ai.txt of its site reserve for it, as written",
        usual=False,
    ),
    RowColumn("url", ValueType.TEXT, "address that was requested"),
    RowColumn("final_url", ValueType.TEXT, "address that answered, after redirects"),
    RowColumn("host", ValueType.TEXT, "host of the address"),
    RowColumn("kind", ValueType.TEXT, "page, pdf, word, powerpoint, excel, opendocument or rtf"),
    RowColumn(
        "document_pages", ValueType.WHOLE, "pages, slides or sheets of a document", usual=False
    ),
    RowColumn("words", ValueType.WHOLE, "number of visible words"),
    RowColumn("relevant", ValueType.FLAG, "verdict of the judges; empty if nobody judged the page"),
    RowColumn("votes_for", ValueType.WHOLE, "how many judges call it relevant"),
    RowColumn("votes", ValueType.WHOLE, "how many judges voted"),
    RowColumn(
        "probability", ValueType.DECIMAL, "the judges’ mean, from 0 to 1", digits=PROBABILITY_DIGITS
    ),
    RowColumn(
        "label", ValueType.FLAG, "label that counts: settled, or by the topic’s rule; empty without"
    ),
    RowColumn(
        "labels",
        ValueType.FLAG,
        "a column “label NAME” for each person, where two or more have labelled pages",
    ),
    RowColumn("why", ValueType.TEXT, "verdict and way to the page, in a sentence"),
    RowColumn(
        "topicality",
        ValueType.DECIMAL,
        "τ by the classifier that guided the crawl, when it was fetched, from 0 to 1",
        digits=PROBABILITY_DIGITS,
    ),
    RowColumn(
        "topicality_at_end",
        ValueType.DECIMAL,
        "τ by all that the crawl knew at its end, by which the list is ordered",
        digits=PROBABILITY_DIGITS,
    ),
    RowColumn(
        SIMILARITY,
        ValueType.DECIMAL,
        "cosine with what pages are to be near to, up to 1; empty without such a search",
        False,
        4,
    ),
    RowColumn("status", ValueType.DECIMAL, "σ, the estimated number of in-links", False, 4),
    RowColumn("status_source", ValueType.TEXT, "the in-link counts that σ was learned from", False),
    RowColumn("target", ValueType.FLAG, "whether it is one of the topic’s targets", usual=False),
    RowColumn("seed", ValueType.FLAG, "whether the crawl began with it", usual=False),
    RowColumn(
        "true_label", ValueType.FLAG, "whether the recorded web labels it with the topic", False
    ),
    RowColumn("depth", ValueType.WHOLE, "links from a seed", usual=False),
    RowColumn(
        "priority", ValueType.DECIMAL, "priority of its link when it was picked", usual=False
    ),
    RowColumn(
        "parent_url", ValueType.TEXT, "page whose link gave the priority; empty for seeds", False
    ),
    RowColumn("http_status", ValueType.WHOLE, "status code of the answer", usual=False),
    RowColumn(
        "needs_javascript",
        ValueType.FLAG,
        "whether it has next to no text until its scripts are run",
        usual=False,
    ),
    RowColumn(
        "rendered", ValueType.FLAG, "whether its text was made by running its scripts", usual=False
    ),
    RowColumn(
        "captured_at", ValueType.MOMENT, "when the page was copied from the Web; empty if unknown"
    ),
    RowColumn(
        "fetched_at", ValueType.MOMENT, "when the crawl fetched it, from the Web or a record", False
    ),
    RowColumn("digest", ValueType.TEXT, "SHA-1 of the body, base 32", usual=False),
    RowColumn("crawl", ValueType.WHOLE, "number of the crawl"),
    RowColumn(
        "crawls", ValueType.TEXT, "numbers of all exported crawls that fetched the address", False
    ),
    RowColumn("strategy", ValueType.TEXT, "strategy of the crawl", usual=False),
    RowColumn("text_start", ValueType.TEXT, "first 300 characters of the text", usual=False),
    RowColumn(
        "text", ValueType.TEXT, "main text as written, a blank line between paragraphs", usual=False
    ),
)
COLUMNS: Mapping[str, RowColumn] = {column.name: column for column in _EVERY}
USUAL = tuple(column.name for column in _EVERY if column.usual)
LABELS = "labels"
"""Stands for the columns of `apps.exports.labels`."""
OF_TEXT = frozenset({"text", "text_start"})
"""Columns for which the stored copy of each page is read whole."""


class UnknownColumn(ValueError):
    """A name that is no column; the text lists the columns."""


def column_names(texts: Iterable[str]) -> tuple[str, ...]:
    """The chosen columns, each once, in the order chosen; names may be joined by commas.

    Raises UnknownColumn.
    """
    names = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    for name in names:
        if name not in COLUMNS:
            raise UnknownColumn(
                f"“{name[:40]}” is not a column. The columns are {', '.join(COLUMNS)}."
            )
    return tuple(dict.fromkeys(names))
