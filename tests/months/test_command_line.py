from __future__ import annotations

from apps.months.changing_web import WebScript
from apps.months.command_line import command_line, command_lines
from apps.months.schema import MonthDesign


def test_it_names_what_differs_from_the_defaults() -> None:
    line = command_line(WebScript(seed=5, pages=300, new=3.0), 50)
    assert line == "manage.py watching --seed 5 --pages 300 --new 3.0 --requests 50"


def test_a_design_is_a_command_for_each_seed() -> None:
    design = MonthDesign(
        pages=1_200, hosts=12, new=8.0, days=30, seeds=(1, 2), policies=("full recrawl",)
    )
    assert command_lines(design) == [
        f"manage.py watching --seed {seed} --requests 40 --policies 'full recrawl'"
        for seed in (1, 2)
    ]
