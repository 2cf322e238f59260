"""A month as a command."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from apps.months.changing_web import WebScript
from apps.months.schema import MonthDesign

OF_SCRIPT = ("hosts", "pages", "new", "days")


def command_line(script: WebScript, requests: int, policies: Sequence[str] = ()) -> str:
    """`manage.py watching --seed N` with what differs from the command's defaults; without
    `policies`, all of them."""
    words = ["manage.py", "watching", "--seed", str(script.seed)]
    for name in OF_SCRIPT:
        if (number := getattr(script, name)) != getattr(WebScript(), name):
            words += [f"--{name}", str(number)]
    words += ["--requests", str(requests)]
    return shlex.join([*words, *(["--policies", *policies] if policies else [])])


def command_lines(design: MonthDesign) -> list[str]:
    """The commands of a design, one for each seed."""
    scripts = {seed: run.script for seed, run in design.runs()}
    policies = () if design.policies == MonthDesign().policies else design.policies
    return [command_line(script, design.requests, policies) for script in scripts.values()]
