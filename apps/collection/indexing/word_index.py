"""The table of words, specific to each database; `search` queries it."""

from __future__ import annotations

from typing import Any

SQLITE = [
    # The engine has tokenized and stemmed already: FTS5 must not do it again.
    """CREATE VIRTUAL TABLE collection_words USING fts5(
        title, text, content='',
        tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*'")""",
]
POSTGRESQL = [
    "CREATE TABLE collection_words (page_id bigint PRIMARY KEY, words tsvector NOT NULL)",
    "CREATE INDEX collection_words_index ON collection_words USING gin (words)",
    # The planner ignores the cost of unpacking vectors and would read them all.
    """CREATE FUNCTION collection_matches(wanted tsquery) RETURNS TABLE (page_id bigint)
        LANGUAGE sql STABLE ROWS 10000 SET enable_seqscan = off
        AS $$ SELECT w.page_id FROM collection_words w WHERE w.words @@ wanted $$""",
]


def make_index(apps: Any, schema_editor: Any) -> None:
    """Creates the table; a step of the first migration."""
    postgresql = schema_editor.connection.vendor == "postgresql"
    for statement in POSTGRESQL if postgresql else SQLITE:
        schema_editor.execute(statement)


def drop_index(apps: Any, schema_editor: Any) -> None:
    """Drops the table."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION collection_matches(tsquery)")
    schema_editor.execute("DROP TABLE collection_words")
