"""`crawlsite strategies`: the catalogue of strategies."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from textwrap import fill
from typing import Any

from django.core.management.base import BaseCommand

from apps.engine.intelligence.strategies import describe


class Command(BaseCommand):
    help = "List the crawl strategies: paper, parameters with their defaults, advice."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print a JSON list instead of text")

    def handle(self, *args: Any, **options: Any) -> None:
        catalogue = describe()
        if options["json"]:
            self.stdout.write(json.dumps(catalogue, ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n\n".join(map(_paragraph, catalogue)))


def _paragraph(strategy: dict[str, Any]) -> str:
    lines = [
        f"{strategy['id']}: {strategy['title']} ({strategy['paper']}, {strategy['section']})",
        fill(strategy["advice"], 96, initial_indent="    ", subsequent_indent="    "),
    ]
    for parameter in strategy["parameters"]:
        lines.append(f"    --set {parameter['name']}={parameter['default']}")
    return "\n".join(lines)
