"""The charts as figures for the browser, to be filled by the messages."""

from __future__ import annotations

from functools import cache
from typing import Any

from apps.crawls.charts import CHARTS


@cache
def figures() -> dict[str, dict[str, Any]]:
    """The figures by chart id: axes and traces, without data."""
    return {chart.id: chart.figure().as_plotly() for chart in CHARTS}
