from __future__ import annotations

from apps.crawls.charts import CHARTS
from apps.crawls.measures.plots import PLOTS
from apps.experiments.figures import FIGURES
from apps.screens.help.figures import charts, paper_figures, plots


def test_every_figure_is_explained_in_the_order_of_its_screen() -> None:
    assert [figure.title for figure in charts()] == [chart.title for chart in CHARTS]
    assert [figure.title for figure in plots()] == [plot.title for plot in PLOTS]
    for figure, chart in zip(charts(), CHARTS, strict=True):
        assert figure.summary.endswith(".") and bool(figure.more) == bool(chart.how_to_read)
    assert all(figure.summary.endswith(".") for figure in plots())


def test_every_figure_of_the_papers_is_explained_with_what_was_published() -> None:
    explained = [*paper_figures()]
    assert [each.title for each in explained] == [figure.title for figure in FIGURES]
    for each, figure in zip(explained, FIGURES, strict=True):
        assert each.paper == figure.paper and each.summary.endswith(".")
        assert str(each.more[-1]).startswith("<i>Published:</i> ")
    quality = next(each for each in explained if each.title == "Context quality")
    assert any(str(words).startswith("<b>Choice:</b> Where no directory") for words in quality.more)


def test_its_curves_lead_to_their_measures() -> None:
    harvest, *_ = charts()
    assert harvest.curves[:2] == (
        ("since start", "/help/measures/harvest_rate/"),
        ("last 100 pages", "/help/measures/harvest_recent/"),
    )
    use = next(figure for figure in plots() if figure.paper == "SLC §5.3, Fig. 9")
    assert use.curves == (("anchor text", ""), ("link context", ""), ("neither", ""))
