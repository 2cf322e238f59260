"""Lists of labels, an address and a label a line, for the pages of a recorded web.

A page keeps the labels that it has and is given those of the list. A list can be taken back; labels
of the web itself never change. Crawls are measured by labels: one in use is given to no further
page and taken from none, so results stay as they were.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from django.db import transaction

from apps.engine.errors import BadLine, BadWebFile
from apps.engine.networking.web_import.importing import SkippedLines
from apps.engine.networking.webs.added_labels import AddedLabels, write_added_labels
from apps.engine.networking.webs.virtual_web import VirtualWeb
from apps.engine.urls import canonical
from apps.figures.quantities import join_names
from apps.lists.addresses import Address, read_cell
from apps.lists.columns import Columns
from apps.lists.limits import BadList
from apps.lists.streaming import open_table
from apps.lists.table import cell_of
from apps.stored_files.files import forget, keep
from apps.webs.importing import WebRefused
from apps.webs.models import LabelText, Web
from apps.webs.opening import added_labels_path, labels_path, open_web
from apps.webs.pages.indexing import index_path, is_indexed, storable, write_relabelled

LONGEST_LABEL = 200
"""Characters, as many as a topic's true label may have."""
_LABEL_NAMES = frozenset("label labels tag tags class category topic kategorie etikett".split())
Progress = Callable[[int, int, int], object]
"""Called with the bytes read, the total, and the labels so far."""

NOTHING = {
    "no_page": "addresses without a page there",
    "has_label": "labels that are there already",
    "bad_label": "lines that are not an address and a label",
}


@dataclass(slots=True)
class LabelSummary(SkippedLines):
    """The result of a list: how many labels were added, and to how many pages. `files` names the
    files of added labels before and after it."""

    labels: int = 0
    pages: int = 0
    files: tuple[str, str] = ("", "")


def add_labels(
    web: Web,
    file: Path,
    progress: Progress | None = None,
    *,
    leave_out_bad: bool = False,
    measured_by: Collection[str] = (),
    finish: Callable[[LabelSummary], None] = lambda summary: None,
) -> LabelSummary:
    """Gives the pages of a web the labels of a list, of any format of lists.

    Addresses without a page and labels that the page has are skipped and counted; with
    `leave_out_bad` also lines that are not an address and a label, or that have one of the labels
    `measured_by`. Otherwise raises BadLine for such a line. `finish` is called in the transaction
    that adds them. Raises WebRefused if nothing would be added, BadWebFile if the file or the web
    cannot be read; both leave everything as it was.
    """
    opened, before = open_web(web), web.added_labels
    assert isinstance(opened, VirtualWeb)
    try:
        summary = LabelSummary()
        labels = _read(opened, file, summary, progress, leave_out_bad, measured_by)
        if not labels:
            raise WebRefused(_nothing_added(web, file, summary))
        added = list(chain(opened.added_labels(), labels))
    finally:
        opened.close()
    summary.labels, summary.pages = len(labels), len({url for url, _ in labels})

    def finish_with(name: str) -> None:
        summary.files = before, name
        finish(summary)

    _put(web, added, finish=finish_with)
    return summary


def take_back_labels(web: Web, files: tuple[str, str], *, measured_by: Collection[str] = ()) -> int:
    """Takes the labels of one list from their pages again, by its `LabelSummary.files`; returns how
    many. Raises WebRefused if some are among the labels `measured_by`, or the web was changed at
    the same time; that leaves everything as it was.
    """
    before, after = (_added(web, name) for name in files)
    before_it = set(before)
    taken = [pair for pair in after if pair not in before_it]
    measured = sorted({label for _, label in taken} & {*measured_by})
    if measured:
        one = len(measured) == 1
        words = "is the true label of a topic" if one else "are true labels of topics"
        raise WebRefused(
            f"{join_names(measured[:3])} {words} on this web, and what its crawls are measured by"
            " does not change. The list is kept."
        )
    gone = set(taken)
    _put(web, [pair for pair in _added(web, web.added_labels) if pair not in gone], taken)
    return len(taken)


def _added(web: Web, name: str) -> list[tuple[str, str]]:
    """The (URL, label) in one of the web's files of added labels."""
    path = labels_path(web, name)
    if path is None:
        return []
    added = AddedLabels(path)
    try:
        return list(added.pairs())
    finally:
        added.close()


def _read(
    web: VirtualWeb,
    file: Path,
    summary: LabelSummary,
    progress: Progress | None,
    leave_out_bad: bool,
    measured_by: Collection[str],
) -> dict[tuple[str, str], None]:
    labels: dict[tuple[str, str], None] = {}

    def report(read: int, of: int) -> None:
        if progress is not None:
            progress(read, of, len(labels))

    for pair in _read_pairs(file, report):
        try:
            url = _check_pair(pair, measured_by)
        except BadLine as error:
            if not leave_out_bad:
                raise
            summary.skip(pair.line, "bad_label", error.detail)
            continue
        page = web.page_at(url)
        if page is None:
            summary.skip(pair.line, "no_page", url)
        elif (page, pair.label) in labels or pair.label in map(storable, web.labels(page)):
            summary.skip(pair.line, "has_label", f"{url} {pair.label}")
        else:
            labels[page, pair.label] = None
    return labels


@dataclass(frozen=True, slots=True)
class _Pair:
    """A row of the list; `is_wide` if it has cells that no heading names."""

    line: int
    address: str
    label: str
    is_wide: bool


def _read_pairs(file: Path, report: Callable[[int, int], object]) -> Iterator[_Pair]:
    """Each row's address and label. Raises BadWebFile."""
    try:
        with open_table(file, report) as table:
            columns = table.columns
            address, label = _pair_columns(columns)
            heading = columns.heading.cells if columns and columns.heading else ()
            widest = max(2, len(heading))
            for row in table.rows:
                yield _Pair(
                    row.line,
                    storable(cell_of(row, address)),
                    storable(cell_of(row, label)),
                    is_wide=any(row.cells[widest:]),
                )
    except BadList as error:
        raise BadWebFile(f"{file.name} cannot be read: {error}") from None


def _pair_columns(columns: Columns | None) -> tuple[int, int]:
    """The column of the addresses, and that of the labels: named so, or the first other one."""
    if columns is None:
        return 1, 0
    first = next((each.number for each in columns.others), 0)
    return columns.address, columns.find_heading(_LABEL_NAMES) or first


def _check_pair(pair: _Pair, measured_by: Collection[str]) -> str:
    """The canonical address. Raises BadLine."""
    if pair.is_wide:
        raise _bad(
            pair.line,
            "it has more than an address and a label (a label with a comma in it stands in"
            " double quotes)",
        )
    address = read_cell(pair.address)
    url = canonical(address.url) if isinstance(address, Address) else None
    if url is None:
        raise _bad(pair.line, f"“{pair.address[:80]}” is not a web address")
    if not pair.label:
        raise _bad(pair.line, "its label is missing")
    if len(pair.label) > LONGEST_LABEL:
        raise _bad(pair.line, f"the label is longer than {LONGEST_LABEL} characters")
    if pair.label in measured_by:
        raise _bad(
            pair.line,
            f"{pair.label} is the true label of a topic on this web, and what its crawls"
            " are measured by does not change",
        )
    return url


def _bad(number: int, why: str) -> BadLine:
    return BadLine(f"line {number:,} is not an address and a label: {why}", line=number)


def _nothing_added(web: Web, file: Path, summary: LabelSummary) -> str:
    reasons = "; ".join(
        f"{why}: {summary.skipped[reason]:,}"
        for reason, why in NOTHING.items()
        if summary.skipped[reason]
    )
    first = summary.examples[0]
    return (
        f"{file.name} adds nothing to {web.name}: {reasons}."
        f" Line {first.line:,} is the first: {first.what}"
    )


def _put(
    web: Web,
    added: list[tuple[str, str]],
    taken: Sequence[tuple[str, str]] = (),
    finish: Callable[[str], None] = lambda name: None,
) -> None:
    """Writes the labels and the index with them, without those `taken`, then names both in the row
    of the web, in one transaction with `finish`, which gets the name of their file."""
    new = Web.objects.get(pk=web.pk)
    new.added_labels = secrets.token_hex(8)
    path = added_labels_path(new)
    assert path is not None
    write_added_labels(path, added)
    keep(path)
    indexed = is_indexed(web)
    if indexed:
        write_relabelled(web, new, added, taken)
    before = index_path(web)
    row = Web.objects.filter(pk=web.pk, added_labels=web.added_labels)
    try:
        with transaction.atomic():
            if not row.update(added_labels=new.added_labels):
                raise WebRefused("The web was deleted, or given other labels meanwhile. Try again.")
            LabelText.objects.filter(web=web).delete()
            finish(new.added_labels)
    except BaseException:
        forget(path)
        forget(index_path(new))
        raise
    web.added_labels = new.added_labels
    if indexed:
        forget(before)
