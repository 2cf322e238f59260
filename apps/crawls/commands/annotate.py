"""Name, note and tags of a crawl; they are for people and do not affect the crawl."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apps.crawls.commands.command import Command, EventKind, Payload, Person, Undo, write_down
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.topics.definition.lines import storable

LONGEST_NAME, LONGEST_NOTE, LONGEST_TAG, MOST_TAGS = 120, 5_000, 40, 20


def parse_name(text: str) -> str:
    """A name on one line. Raises CrawlRefused if it is too long."""
    name = _at_most(LONGEST_NAME, "name", " ".join(text.split()))
    _check_printable("name", name)
    return name


def parse_note(text: str) -> str:
    """A note of several lines. Raises CrawlRefused if it is too long."""
    return _at_most(LONGEST_NOTE, "note", storable(text).strip().replace("\r\n", "\n"))


def parse_tags(text: str) -> list[str]:
    """The distinct tags between commas, in alphabetical order. Raises CrawlRefused."""
    tags = sorted({" ".join(tag.split()) for tag in text.split(",")} - {""})
    if len(tags) > MOST_TAGS:
        raise CrawlRefused("tags", f"Give at most {MOST_TAGS} tags.")
    for tag in tags:
        if len(tag) > LONGEST_TAG:
            raise CrawlRefused("tags", f"A tag has at most {LONGEST_TAG} characters: {tag[:40]}…")
        _check_printable("tags", tag)
    return tags


def annotate(crawl: Crawl, field: str, value: str | list[str], by: Person = None) -> None:
    """Writes the name, the note or the tags. Raises CrawlRefused if they are the same already."""
    before = getattr(crawl, field)
    if value == before:
        raise CrawlRefused(field, f"The {field} {'are' if field == 'tags' else 'is'} so already.")
    payload = {"value": value, "before": before}
    write_down(crawl, field, payload, by, **{field: value})


def _at_most(characters: int, field: str, text: str) -> str:
    if len(text) > characters:
        raise CrawlRefused(field, f"A {field} has at most {characters:,} characters.")
    return text


def _check_printable(field: str, text: str) -> None:
    # A crawl loads every command, and no schema.
    from apps.schemas.input import is_printable

    if not is_printable(text):
        raise CrawlRefused(field, f"Leave the control characters out of the {field}.")


def _words(payload: Payload) -> str:
    value = payload["value"]
    text = ", ".join(value) if isinstance(value, list) else value
    return f"to “{text[:80]}{'…' if len(text) > 80 else ''}”" if text else "to nothing"


def _command(field: str, parse: Callable[[str], Any], value: str) -> Command:
    def act(crawl: Crawl, text: str, by: Person) -> str:
        annotate(crawl, field, parse(text), by)
        return ""

    return Command(
        name=field,
        title=f"Change {field}",
        does=f"Sets the {field} of the crawl.",
        act=act,
        value=value,
        events=(
            EventKind(
                field,
                f"{field.capitalize()} changed",
                _words,
                undo=Undo(
                    about=lambda payload: field,
                    stands=lambda crawl, p: bool(getattr(crawl, field) == p["value"]),
                    carry_out=lambda crawl, p, by: annotate(crawl, field, p["before"], by),
                ),
            ),
        ),
    )


NAME = _command("name", parse_name, "a name, or nothing")
NOTE = _command("note", parse_note, "a text of one or more lines, or nothing")
TAGS = _command("tags", parse_tags, "tags separated by commas")
