"""The plots of the measures' screen: Plotly figures with their data, colours as tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p
from typing import Any

from apps.crawls.measures.crawl_report import CrawlReport, MapCell
from apps.crawls.measures.curves import lines
from apps.engine.drawing import Drawn
from apps.engine.evaluation.diversity import Diversity
from apps.figures.quantities import count, probability, score, share

FONT = {"family": "Inter, system-ui, sans-serif", "size": 11}
DASH = "6px,5px"


@dataclass(frozen=True, slots=True)
class Plot:
    """One plot: its figure for the browser, the same as a table, and a sentence that reads it.

    `legend` has (label, colour, style) for each trace. `empty` is what stands in place of a plot
    without data.
    """

    id: str
    title: str
    paper: str
    figure: dict[str, Any]
    legend: tuple[tuple[str, str, str], ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    summary: str
    empty: str = ""

    @property
    def script(self) -> str:
        """The id under which the page holds the figure."""
        return f"figure-{self.id}"


def plots(found: CrawlReport) -> tuple[Plot, ...]:
    """The six plots, each with data or with a word of what is missing; a seventh where it has any.
    """
    return (
        _recall(found), _course(found), _sites(found), _relevance(found), _locality(found),
        _map(found), *_context_use(found),
    )


def _recall(found: CrawlReport) -> Plot:
    recalled = found.recalled
    points = recalled.points if recalled else ()
    highest: list[float] = []
    for _, precision, _ in reversed(points):
        highest.append(max(precision, highest[-1] if highest else 0.0))
    highest.reverse()
    recall = [r for _, _, r in points]
    traces = [
        _line("precision", "harvest", "solid", recall, [p for _, p, _ in points]),
        _line("best from there on", "harvest", "dashed", recall, highest),
    ]
    last = points[-1] if points else None
    return Plot(
        "precision-recall", "Precision over recall", "HCLA §5.1",
        _figure(traces, _axis("recall of the web’s relevant pages", ".0%", (0, 1.0)),
                _axis("precision", ".0%", (0, 1.0), dtick=0.25)),
        (("precision", "harvest", "solid"), ("best from there on", "harvest", "dashed")),
        ("Pages", "Recall", "Precision", "Best from there on"),
        tuple((count(n), share(r), share(p), share(best))
              for (n, p, r), best in zip(points, highest, strict=True)),
        f"Precision over recall: at the end {share(last[1])} at recall {share(last[2])}."
        if last else "",
        "" if points else "No relevant page found yet" if recalled
        else "Only on a recorded web whose pages carry the topic’s label",
    )


def _course(found: CrawlReport) -> Plot:
    pages = [n for n, _ in found.courses]
    known = _curves(found, "courses")
    traces = [
        _line(curve.label, curve.colour, curve.style, pages, column) for curve, column in known
    ]
    return Plot(
        "courses", "Harvest, loss, agreement, recall", "AFC §3.5, LC §6, SLC §5.1",
        _figure(traces, _axis("pages fetched", ",d", None), _axis("share", ".0%", (0, 1.0),
                                                                   dtick=0.25)),
        tuple((curve.label, curve.colour, curve.style) for curve, _ in known),
        ("Pages", *(curve.label for curve, _ in known)),
        tuple((count(n), *(share(column[i]) for _, column in known))
              for i, n in enumerate(pages)),
        "At the end " + ", ".join(f"{curve.label} {share(column[-1])}" for curve, column in known)
        + "." if known else "",
        "" if known else "First point after 10 judged pages",
    )


def _sites(found: CrawlReport) -> Plot:
    known = [(n, value) for n, values in found.courses
             if (value := values[Diversity.id]) is not None]
    pages, sites = [n for n, _ in known], [value for _, value in known]
    return Plot(
        "diversity", "Sites over the crawl", "SL §7.3, Fig. 13a",
        _figure([_line("sites", "status", "solid", pages, sites)],
                _axis("pages fetched", ",d", None), _axis("sites", ",d", None)),
        (("sites", "status", "solid"),),
        ("Pages", "Sites"),
        tuple((count(n), count(value)) for n, value in known),
        f"Sites over the crawl: {count(sites[-1])} after {count(pages[-1])} pages."
        if known else "",
        "" if known else "First point after 10 pages",
    )


def _context_use(found: CrawlReport) -> tuple[Plot, ...]:
    """What spoke for new links (SLC Fig. 9); none where the strategy does not choose."""
    known = _curves(found, "context-use")
    if not known:
        return ()
    pages = [n for n, _ in found.courses]
    labels = tuple((curve.label, curve.colour, curve.style) for curve, _ in known)
    traces = [
        _line(curve.label, curve.colour, curve.style, pages, column) for curve, column in known
    ]
    return (Plot(
        "context-use", "Anchor text or link context", "SLC §5.3, Fig. 9",
        _figure(traces, _axis("pages fetched", ",d", None), _axis("new links", ",d", None)),
        labels,
        ("Pages", *(curve.label for curve, _ in known)),
        tuple((count(n), *(count(column[i]) for _, column in known))
              for i, n in enumerate(pages)),
        "What spoke for new links: "
        + ", ".join(f"{curve.label} {count(column[-1])}" for curve, column in known) + ".",
    ),)


def _curves(
    found: CrawlReport, chart: str
) -> list[tuple[Drawn, list[float | None]]]:
    """The curves of a chart that are known at any time, with their values by sample."""
    curves = [
        (line.drawn, [values[line.key] for _, values in found.courses]) for line in lines(chart)
    ]
    return [(drawn, column) for drawn, column in curves if any(v is not None for v in column)]


def _relevance(found: CrawlReport) -> Plot:
    tenths = [f"{i / 10:.1f}–{(i + 1) / 10:.1f}" for i in range(len(found.distribution))]
    total = sum(found.distribution)
    middles = [(i + 0.5) / 10 for i in range(len(found.distribution))]
    bars = _bars("pages", "harvest", middles, list(found.distribution), "%{y:,d}")
    sure = sum(found.distribution[:1]) + sum(found.distribution[-1:])
    return Plot(
        "relevance", "Relevance distribution", "AFC §3.3",
        _figure([bars], _axis("judge’s P(c|v)", ".1f", (0, 1.0), dtick=0.2),
                _axis("pages", ",d", None)),
        (("pages", "harvest", "solid"),),
        ("Judge’s P(c|v)", "Pages", "Share"),
        tuple((words, count(n), share(n / total if total else None))
              for words, n in zip(tenths, found.distribution, strict=True)),
        f"Relevance distribution: {count(sure)} of {count(total)} pages lie in the lowest or the "
        "highest tenth." if total else "",
        "" if total else "No judge: the topic has no examples",
    )


def _locality(found: CrawlReport) -> Plot:
    words = [f"distance {row.distance}" if row.distance else "random pairs"
             for row in found.localities]
    known = any(row.correlation is not None for row in found.localities)
    traces = [
        _bars("all links", "status", words, [row.correlation for row in found.localities],
              "%{y:.2f}"),
        _bars("between domains", "ink-2", words, [row.cross for row in found.localities],
              "%{y:.2f}"),
    ]
    return Plot(
        "locality", "Status locality", "SL §3.1",
        _figure(traces, _axis("links between the two pages", None, None),
                _axis("Spearman’s ρ of in-links", ".2f", None)),
        (("all links", "status", "solid"), ("between domains", "ink-2", "solid")),
        ("Between the two", "Pairs", "Correlation", "p", "Pairs between domains", "Correlation",
         "p"),
        tuple((w, count(row.pairs), score(row.correlation), probability(row.p),
               count(row.cross_pairs), score(row.cross), probability(row.cross_p))
              for w, row in zip(words, found.localities, strict=True)),
        "Status locality: " + ", ".join(
            f"{w} {score(row.correlation)}" for w, row in zip(words, found.localities, strict=True)
        ) + "." if known else "",
        "" if known else "Too few linked pages with a known in-link count",
    )


def _map(found: CrawlReport) -> Plot:
    dense = [cell for cell in found.map if cell.dense]
    thin = [cell for cell in found.map if not cell.dense]
    share_dense = sum(cell.pages for cell in dense) / found.mapped if found.mapped else None
    return Plot(
        "map", "Topicality and status", "SL Fig. 14",
        _figure(
            [_squares("densest cells, over 90 %", "status", dense),
             _squares("other cells", "ink-3", thin)],
            _axis("ln(1 + in-links)", ".1f", None), _axis("judge’s P(c|v)", ".1f", (0, 1.0)),
            hover="closest"),
        (("densest cells, over 90 %", "status", "solid"), ("other cells", "ink-3", "solid")),
        ("Judge’s P(c|v)", "ln(1 + in-links)", "Pages", "Among the densest"),
        tuple((f"{cell.score:.3f}", score(cell.log), count(cell.pages),
               "yes" if cell.dense else "no") for cell in found.map),
        f"Map of {count(found.mapped)} pages: {count(len(dense))} of {count(len(found.map))} cells "
        f"hold {share(share_dense)}." if found.mapped else "",
        "" if found.mapped else "No page with both a judge’s score and a known in-link count",
    )


def _squares(label: str, colour: str, cells: Sequence[MapCell]) -> dict[str, Any]:
    """A square a cell, its side by the logarithm of its pages."""
    return {
        "type": "scatter", "mode": "markers", "name": label, "meta": {"colour": colour},
        "x": [cell.log for cell in cells], "y": [cell.score for cell in cells],
        "text": [count(cell.pages) for cell in cells], "cliponaxis": False,
        "marker": {"symbol": "square", "size": [4 + 2 * log1p(cell.pages) for cell in cells]},
        "hovertemplate": "%{text} pages<extra></extra>",
    }


def _line(
    label: str, colour: str, style: str, x: Sequence[float], y: Sequence[float | None]
) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines", "name": label, "x": list(x), "y": list(y),
        "meta": {"colour": colour}, "cliponaxis": False,
        "line": {"width": 2 if style == "solid" else 1.5,
                 "dash": DASH if style == "dashed" else "solid"},
        "hovertemplate": f"{label} %{{y:.1%}}<extra></extra>",
    }


def _bars(
    label: str, colour: str, x: Sequence[str | float], y: Sequence[float | None], hover: str
) -> dict[str, Any]:
    return {
        "type": "bar", "name": label, "x": list(x), "y": list(y), "meta": {"colour": colour},
        "hovertemplate": f"{label} {hover}<extra></extra>",
    }


def _figure(
    traces: list[dict[str, Any]], xaxis: dict[str, Any], yaxis: dict[str, Any],
    hover: str = "x unified",
) -> dict[str, Any]:
    return {"data": traces, "layout": {
        "margin": {"l": 52, "r": 12, "t": 12, "b": 38, "pad": 0}, "font": FONT,
        "showlegend": False, "hovermode": hover, "dragmode": False, "bargap": 0.25,
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "xaxis": {**xaxis, "showgrid": False, "ticks": "outside", "ticklen": 4},
        "yaxis": {**yaxis, "showgrid": True},
    }}


def _axis(
    title: str, tickformat: str | None, bounds: tuple[float, float] | None, **more: Any
) -> dict[str, Any]:
    axis: dict[str, Any] = {
        "title": {"text": title, "standoff": 6, "font": {"size": 11}}, "fixedrange": True,
        "zeroline": False, "showline": True, **more,
    }
    if tickformat:
        axis["tickformat"] = tickformat
    if bounds:
        axis["range"] = list(bounds)
    return axis
