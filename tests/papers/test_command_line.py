"""A run of a protocol as a command."""

from __future__ import annotations

from apps.papers.command_line import command_line


def test_what_is_given_is_named_in_one_order_and_quoted() -> None:
    options = {"pages": 30, "topics": 5, "labels": ["a b", "c"], "universities": [], "web": "x"}
    assert command_line("lc-contexts", "my web", options) == (
        "manage.py reproduce lc-contexts --web 'my web' --topics 5 --pages 30 --labels 'a b' c"
    )
