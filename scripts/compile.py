"""Imports what a start imports and runs a small crawl, so that compiled Python files exist.

Otherwise the processes that start together would each compile the same modules. Run by set_up.sh.
"""

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
"""In this order, since the first sets up Django."""


def main() -> None:
    for name in MODULES:
        import_module(name)
    from django.core.management import call_command

    call_command("bench", pages=10)


if __name__ == "__main__":
    main()
