"""`crawlsite run_cells EXPERIMENT`: one more process for a running experiment."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.experiments.cells.foreground import run_cells
from apps.experiments.models import Experiment


class Command(BaseCommand):
    help = "Runs the queued cells of an experiment in this process until none is left."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("experiment", type=int, help="the number of the experiment")

    def handle(self, *args: Any, **options: Any) -> None:
        experiment = Experiment.objects.filter(pk=options["experiment"]).first()
        if experiment is None:
            raise CommandError(f"There is no experiment {options['experiment']}.")
        run_cells(experiment)
