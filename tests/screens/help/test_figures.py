from __future__ import annotations

from apps.crawls.charts import CHARTS
from apps.crawls.measures.plots import PLOTS
from apps.screens.help.figures import charts, plots


def test_every_figure_is_explained_in_the_order_of_its_screen() -> None:
    assert [figure.title for figure in charts()] == [chart.title for chart in CHARTS]
    assert [figure.title for figure in plots()] == [plot.title for plot in PLOTS]
    for figure in (*charts(), *plots()):
        assert figure.summary.endswith(".") and figure.more


def test_its_curves_lead_to_their_measures() -> None:
    harvest, *_ = charts()
    assert harvest.curves[:2] == (
        ("since start", "/help/measures/harvest_rate/"),
        ("last 100 pages", "/help/measures/harvest_recent/"),
    )
    use = next(figure for figure in plots() if figure.paper == "SLC §5.3, Fig. 9")
    assert use.curves == (("anchor text", ""), ("link context", ""), ("neither", ""))
