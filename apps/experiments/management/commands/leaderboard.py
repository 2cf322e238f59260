"""`crawlsite leaderboard WEB`: all strategies at their defaults, on a recorded web's topics."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from apps.experiments.leaderboard import MOST_TOPICS, make_leaderboard
from apps.experiments.management.experiment_command import ExperimentCommand
from apps.experiments.models import Experiment
from apps.experiments.selectors import web_named


class Command(ExperimentCommand):
    help = (
        "Runs every strategy that fits on the topics of a recorded web, made of its labels if it"
        " has none, and prints which finds most. New crawl then advises by it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("web", help="the name of a recorded web")
        parser.add_argument(
            "--pages",
            type=int,
            metavar="N",
            help="pages of each crawl (default: an eighth of the web, up to 500)",
        )
        parser.add_argument(
            "--topics",
            type=int,
            default=MOST_TOPICS,
            metavar="N",
            help="the most topics (%(default)s)",
        )
        super().add_arguments(parser)

    def make(self, owner: User, options: Mapping[str, Any]) -> Experiment:
        return make_leaderboard(
            owner,
            web_named(owner, options["web"]),
            pages=options["pages"],
            topics=options["topics"],
        )
