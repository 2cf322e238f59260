"""Imports what a start imports and runs a small crawl, so that Python's compiled files are there;
else each of the processes that begin together would compile the same modules. Run by set_up.sh."""

from __future__ import annotations

from importlib import import_module

MODULES = (
    "crawlsite.asgi",
    "crawlsite.urls",
    "crawlsite.first_start",
    "crawlsite.workers",
    "apps.crawls.running.runner",
    "apps.crawls.running.supervisor",
    "apps.collection.tasks",
    "apps.topics.tasks",
)
"""In this order: the first sets Django up."""


def main() -> None:
    for name in MODULES:
        import_module(name)
    from django.core.management import call_command

    call_command("bench", pages=10)


if __name__ == "__main__":
    main()
