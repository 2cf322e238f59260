"""Commands that make an experiment, run it to its end and print its results."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.services import account_named
from apps.engine.errors import EngineError
from apps.experiments.management.printing import as_json, as_text
from apps.experiments.management.progress import run_with_progress
from apps.experiments.models import Experiment
from apps.jobs.tables import make_tables
from apps.schemas.refused import Refused
from apps.webs.messages import error_words


class ExperimentCommand(BaseCommand):
    """A command that defines `make`, and adds its own arguments before these."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--processes",
            type=int,
            metavar="N",
            help="how many cells run at once (default: one for each core)",
        )
        parser.add_argument(
            "--owner", metavar="NAME", help="the account that it belongs to (default: the owner’s)"
        )
        parser.add_argument(
            "--json",
            action="store_true",
            help="print the experiment, its cells and results as JSON",
        )

    def make(self, owner: User, options: Mapping[str, Any]) -> Experiment:
        """The experiment to run. Raises Refused, EngineError."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        try:
            experiment = self.make(account_named(options["owner"]), options)
            self.stderr.write(f"Experiment {experiment.pk}: {experiment.cells.count():,} cells")
            run_with_progress(experiment, options["processes"])
        except Refused as refused:
            raise CommandError(str(refused)) from None
        except EngineError as error:
            raise CommandError(error_words(error)) from None
        experiment.refresh_from_db()
        self.stdout.write(as_json(experiment) if options["json"] else as_text(experiment))
