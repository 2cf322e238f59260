from __future__ import annotations

import csv
import zipfile
from io import BytesIO, StringIO

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.files import every_csv, figure_csv, file_name
from apps.experiments.figures.paper_figure import View
from apps.experiments.figures.trajectories import Trajectories
from tests.experiments.made_outcomes import made

VALUES = {
    (topic, crawler): {"target_recall": [1 / 3 + topic / 10], "harvest_rate": [0.5]}
    for topic in range(2)
    for crawler in range(2)
}
ASKED = asked_of(made(values=VALUES, every=1))


def read(text: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text.decode())))


def test_a_file_has_the_values_drawn_to_the_last_digit() -> None:
    figure = Trajectories().figure(ASKED)
    rows = read(figure_csv(figure))
    assert [*rows[0]] == ["series", "pages fetched", "target recall", "standard error"]
    assert {row["series"] for row in rows} == {"Full page", "Breadth-first"}
    points = [(float(row["target recall"]), float(row["standard error"])) for row in rows]
    drawn = [(y, e) for trace in figure.traces for y, e in zip(trace.y, trace.errors, strict=True)]
    assert points == drawn and len(str(points[0][0])) > 15


def test_a_text_that_a_spreadsheet_would_calculate_is_neutralised() -> None:
    results = made(values=VALUES, every=1)
    results.crawlers[0].label = "=1+1"
    rows = read(figure_csv(Trajectories().figure(asked_of(results))))
    assert {row["series"] for row in rows} == {"'=1+1", "Breadth-first"}


def test_all_that_is_drawn_is_packed_one_file_a_view() -> None:
    with zipfile.ZipFile(BytesIO(every_csv(ASKED))) as archive:
        names = archive.namelist()
        assert "trajectories-target-recall.csv" in names and "overlap.csv" in names
        assert "alpha.csv" not in names and len(names) == len({*names})
        assert read(archive.read("trajectories-harvest-rate.csv"))[0]["harvest rate"] == "0.5"


def test_a_file_is_named_for_its_figure_and_view() -> None:
    assert file_name(Trajectories(), View("target_recall", "x")) == "trajectories-target-recall.csv"
    assert file_name(Trajectories(), View("", "x"), "svg") == "trajectories.svg"
