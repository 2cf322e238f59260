"""Runs a table of `apps.experiments.reproduce` on a web in a file, or on an imported one."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from apps.engine.networking.virtual_web import VirtualWeb
from apps.engine.networking.web_import import import_json_lines
from apps.experiments.reproduce import TABLES, Reproduced, Table
from apps.experiments.reproduce.options import Options, Say
from apps.experiments.reproduce.parted_web import ROOT_LABEL, PartedWeb
from apps.jobs.tables import make_tables
from apps.schemas.input import Refused
from apps.webs.models import Web
from apps.webs.opening import web_folder


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What is asked for of a table; empty and None: all, and the table's own limit."""

    pages: int | None = None
    categories: Sequence[str] = ()
    universities: Sequence[str] = ()
    crawlers: Sequence[str] = ()
    redirects: str | None = None


def run_table(name: str, web: str, asked: TableOptions, say: Say) -> Reproduced:
    """The table's result. `web` is a file of JSON lines or the name of an imported web.

    Raises Refused for an option that the table does not take, EngineError for a bad file.
    """
    table = TABLES[name]
    _require_known(name, "category", "categories", asked.categories, table.categories)
    _require_known(name, "crawler", "crawlers", asked.crawlers, table.crawlers)
    if asked.pages is not None and asked.pages < 1:
        raise Refused("", "--pages must be 1 or more.")
    with _opened(web, asked.redirects, say) as parted:
        return table.reproduce(parted, _options(parted, name, web, asked), say)


def _options(parted: PartedWeb, name: str, web: str, asked: TableOptions) -> Options:
    table = TABLES[name]
    if table.in_parts and not parted.names:
        raise Refused("", "No part of this web can be crawled: a part needs `split` on its lines"
                      f" and one page with the topic `{ROOT_LABEL}` to start from.")
    _require_known(name, "university", "universities", asked.universities, _parts(parted, table))
    return Options(
        Path(web).name, asked.pages, tuple(asked.categories), tuple(asked.universities),
        tuple(asked.crawlers),
    )


def _parts(parted: PartedWeb, table: Table) -> Collection[str]:
    return parted.names if table.in_parts else ()


def _require_known(
    table: str, kind: str, option: str, given: Collection[str], known: Collection[str]
) -> None:
    """Refuses unknown names of an option, or the option itself if the table does not take it."""
    if given and not known:
        raise Refused("", f"{table} takes no --{option}.")
    for name in given:
        if name not in known:
            raise Refused("", f"There is no {kind} {name}; there are: {', '.join(known)}.")


@contextmanager
def _opened(web: str, redirects: str | None, say: Say) -> Iterator[PartedWeb]:
    """The web of a file, imported into a temporary folder, or one that is imported already."""
    path = Path(web)
    if not path.is_file():
        make_tables()
        known = Web.objects.filter(name=web, source=Web.Source.FOLDER).first()
        if known is None:
            raise Refused("", f"There is no file {web}, and no imported web of that name.")
        with _parted(web_folder(known)) as parted:
            yield parted
        return
    beside = Path(redirects) if redirects else _beside(path)
    if redirects and not Path(redirects).is_file():
        raise Refused("", f"There is no file {redirects}.")
    with tempfile.TemporaryDirectory(prefix="crawlsite-reproduce-") as folder:
        say(f"reading {path.name}" + (f" with {beside.name}" if beside else ""))
        import_json_lines(path, Path(folder) / "web", beside)
        with _parted(Path(folder) / "web") as parted:
            yield parted


@contextmanager
def _parted(folder: Path) -> Iterator[PartedWeb]:
    web = VirtualWeb(folder)
    try:
        yield PartedWeb(web)
    finally:
        web.close()


def _beside(path: Path) -> Path | None:
    """`NAME.redirects.json` beside `NAME.jsonl` or `NAME.jsonl.gz`."""
    found = path.with_name(path.name.split(".jsonl")[0] + ".redirects.json")
    return found if found.is_file() else None
