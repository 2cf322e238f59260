"""The table of words, made in the way of each kind of database; `search` asks it."""

from __future__ import annotations

from typing import Any

SQLITE = [
    # The stems come cut by the engine: FTS5 shall neither fold nor cut them anew.
    """CREATE VIRTUAL TABLE collection_words USING fts5(
        title, text, content='',
        tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*'")""",
]
POSTGRESQL = [
    "CREATE TABLE collection_words (page_id bigint PRIMARY KEY, words tsvector NOT NULL)",
    "CREATE INDEX collection_words_index ON collection_words USING gin (words)",
    # The planner takes no account of what unpacking vectors costs and would read them all.
    """CREATE FUNCTION collection_matches(wanted tsquery) RETURNS TABLE (page_id bigint)
        LANGUAGE sql STABLE ROWS 10000 SET enable_seqscan = off
        AS $$ SELECT w.page_id FROM collection_words w WHERE w.words @@ wanted $$""",
]


def make_index(apps: Any, schema_editor: Any) -> None:
    """Makes the table; a step of the first migration."""
    postgresql = schema_editor.connection.vendor == "postgresql"
    for statement in POSTGRESQL if postgresql else SQLITE:
        schema_editor.execute(statement)


def drop_index(apps: Any, schema_editor: Any) -> None:
    """Takes the table back."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION collection_matches(tsquery)")
    schema_editor.execute("DROP TABLE collection_words")
