from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from apps.crawls.charts import CHARTS
from apps.figures.axis import Axis
from apps.screens.live.figures import figures

STATIC = Path(settings.BASE_DIR) / "static"


def test_each_chart_has_a_figure_with_its_lines_and_fixed_axes() -> None:
    for chart in CHARTS:
        figure = figures()[chart.id]
        assert [trace["name"] for trace in figure["data"]] == [line.label for line in chart.lines]
        assert figure["layout"]["xaxis"]["title"]["text"] == "pages fetched"
        axis = Axis(unit=chart.unit).as_plotly([])
        assert figure["layout"]["yaxis"]["range"] == axis["range"] and axis["range"][1] > 0


def test_every_colour_is_a_token() -> None:
    tokens = set(re.findall(r"--([\w-]+):", (STATIC / "css/tokens.css").read_text()))
    used = {trace["meta"]["colour"] for f in figures().values() for trace in f["data"]}
    assert used | {chart.colour for chart in CHARTS} <= tokens


def test_what_starts_with_the_site_loads_neither_plotly_nor_what_fetches() -> None:
    code = (
        "import django, sys; django.setup(); import crawlsite.urls, apps.screens.live.consumers;"
        "import crawlsite.management.commands.up, crawlsite.management.commands.supervise;"
        "heavy = ('plotly', 'sklearn', 'scipy', 'httpx', 'aiohttp', 'trafilatura', 'htmldate',"
        " 'py3langid', 'resiliparse');"
        "print([name for name in heavy if name in sys.modules])"
    )
    output = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=settings.BASE_DIR,
    )
    assert output.stdout.strip() == "[]"


def test_the_vendored_bundle_is_the_one_that_plotly_carries() -> None:
    from plotly.offline import get_plotlyjs_version

    head = (STATIC / "vendor/plotly/plotly-basic.min.js").read_text()[:200]
    assert f"plotly.js (basic - minified) v{get_plotlyjs_version()}" in head


def test_vendored_files_are_unchanged_and_licensed() -> None:
    folder = STATIC / "vendor"
    listed = {}
    for line in (folder / "CHECKSUMS.sha256").read_text().splitlines():
        digest, name = line.split()
        listed[name] = digest
    files = {p.relative_to(folder).as_posix() for p in folder.glob("*/*")}
    assert files == set(listed)
    for name, digest in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    licensed = {name.split("/")[0] for name in listed if name.endswith("LICENSE")}
    assert licensed == {name.split("/")[0] for name in listed}
