"""`crawlsite experiment FILE`: crawlers compared over topics, from a TOML design or a recipe."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User

from apps.experiments.design.toml_file import read_design_file
from apps.experiments.management.experiment_command import ExperimentCommand
from apps.experiments.models import Experiment
from apps.experiments.recipe import ExperimentRecipe, import_experiment
from apps.experiments.services import create_experiment
from apps.schemas.json_text import read_file


class Command(ExperimentCommand):
    help = (
        "Runs an experiment (topics × strategies × repetitions on one web) and prints which crawler"
        " is better, and by how much. A recipe (.json) is run again to the same numbers."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a TOML design, or a recipe as downloaded")
        super().add_arguments(parser)

    def make(self, owner: User, options: Mapping[str, Any]) -> Experiment:
        if options["file"].suffix == ".json":
            return import_experiment(owner, ExperimentRecipe.read(read_file(options["file"])))
        return create_experiment(owner, read_design_file(options["file"]))
