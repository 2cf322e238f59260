"""Runs a table of `apps.papers.tables` on a web in a file, or on an imported one."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from apps.engine.networking.web_import.importing import import_json_lines
from apps.engine.networking.webs.virtual_web import VirtualWeb
from apps.jobs.tables import make_tables
from apps.papers.tables import TABLES, PaperTable, Reproduced
from apps.papers.tables.options import Options, Report
from apps.papers.tables.parted_web import ROOT_LABEL, PartedWeb
from apps.schemas.refused import Refused
from apps.webs.models import Web
from apps.webs.opening import open_web, web_folder
from apps.webs.services import demo_web_named


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The options of a table; empty: all, None: the table's own limit."""

    pages: int | None = None
    categories: Sequence[str] = ()
    universities: Sequence[str] = ()
    crawlers: Sequence[str] = ()
    redirects: str | None = None


def run_table(name: str, web: str | Web, asked: TableOptions, report: Report) -> Reproduced:
    """The table's result. `web` is a file of JSON lines, or a recorded or demo web or its name.

    Raises Refused for an option that the table does not take, EngineError for a bad file.
    """
    table = TABLES[name]
    _require_offered(name, "category", "categories", asked.categories, table.categories)
    _require_offered(name, "crawler", "crawlers", asked.crawlers, table.crawlers)
    if asked.pages is not None and asked.pages < 1:
        raise Refused("", "--pages must be 1 or more.")
    if asked.pages is not None and not table.crawls:
        raise Refused("pages", f"{name} makes no crawl, so it takes no --pages.")
    with _opened(web, asked.redirects, report) as parted:
        return table.reproduce(parted, _options(parted, name, str(web), asked), report)


def _options(parted: PartedWeb, name: str, web: str, asked: TableOptions) -> Options:
    table = TABLES[name]
    if table.in_parts and not parted.names:
        raise Refused(
            "",
            "No part of this web can be crawled: a part needs `split` on its lines"
            f" and one page with the topic `{ROOT_LABEL}` to start from.",
        )
    _require_offered(name, "university", "universities", asked.universities, _parts(parted, table))
    return Options(
        Path(web).name,
        asked.pages,
        tuple(asked.categories),
        tuple(asked.universities),
        tuple(asked.crawlers),
    )


def _parts(parted: PartedWeb, table: PaperTable) -> Collection[str]:
    return parted.names if table.in_parts else ()


def _require_offered(
    table: str, kind: str, option: str, given: Collection[str], offered: Collection[str]
) -> None:
    """Refuses unknown names of an option, or the option itself if the table does not take it."""
    if given and not offered:
        raise Refused("", f"{table} takes no --{option}.")
    for name in given:
        if name not in offered:
            raise Refused("", f"There is no {kind} {name}; there are: {', '.join(offered)}.")


@contextmanager
def _opened(web: str | Web, redirects: str | None, report: Report) -> Iterator[PartedWeb]:
    """The web of a file, imported into a temporary folder, or one that has a row."""
    path = Path(str(web))
    if isinstance(web, Web) or not path.is_file():
        row = web if isinstance(web, Web) else _find_web(web)
        if row.source == Web.Source.DEMO:
            yield PartedWeb(open_web(row))
            return
        with _parted(web_folder(row)) as parted:
            yield parted
        return
    beside = Path(redirects) if redirects else _beside(path)
    if redirects and not Path(redirects).is_file():
        raise Refused("", f"There is no file {redirects}.")
    with tempfile.TemporaryDirectory(prefix="crawlsite-reproduce-") as folder:
        report(f"reading {path.name}" + (f" with {beside.name}" if beside else ""))
        import_json_lines(path, Path(folder) / "web", beside)
        with _parted(Path(folder) / "web") as parted:
            yield parted


def _find_web(name: str) -> Web:
    make_tables()
    web = demo_web_named(name) or Web.objects.filter(name=name, source=Web.Source.FOLDER).first()
    if web is None:
        raise Refused("", f"There is no file {name}, and no imported web of that name.")
    return web


@contextmanager
def _parted(folder: Path) -> Iterator[PartedWeb]:
    web = VirtualWeb(folder)
    try:
        yield PartedWeb(web)
    finally:
        web.close()


def _beside(path: Path) -> Path | None:
    """`NAME.redirects.json` beside `NAME.jsonl` or `NAME.jsonl.gz`."""
    redirects = path.with_name(path.name.split(".jsonl")[0] + ".redirects.json")
    return redirects if redirects.is_file() else None
