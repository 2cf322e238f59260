"""Lists of labels, `url,label` a line, for the pages of a recorded web that is here already.

A page keeps the labels that it has and is given those of the list. A list can be taken back; labels
of the web itself never change. A label by which crawls are measured is given to no further page and
taken from none, so that a result stays what it was.
"""

from __future__ import annotations

import csv
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from apps.engine.errors import BadLine
from apps.engine.file_faults import fault_words
from apps.engine.networking.added_labels import AddedLabels, write_added_labels
from apps.engine.networking.virtual_web import VirtualWeb
from apps.engine.networking.web_files import lines
from apps.engine.networking.web_import import SkippedLines
from apps.engine.urls import canonical
from apps.figures.quantities import listed
from apps.stored_files.files import forget, keep
from apps.webs.importing import WebRefused
from apps.webs.models import Web
from apps.webs.opening import added_labels_path, labels_path, open_web
from apps.webs.pages.indexing import index_path, is_indexed, storable, write_relabelled

LONGEST_LABEL = 200
"""Characters, as many as a topic's true label may have."""
Progress = Callable[[int, int, int], None]
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
    web: Web, file: Path, progress: Progress | None = None, *, leave_out_bad: bool = False,
    measured_by: Collection[str] = (),
) -> LabelSummary:
    """Gives the pages of a web the labels of a list, plain or gzipped, separated by commas or tabs.

    Addresses without a page and labels that the page has are skipped and counted; with
    `leave_out_bad` also lines that are not an address and a label, or that have one of the labels
    `measured_by`. Otherwise raises BadLine for such a line. Raises WebRefused if nothing would be
    added, BadWebFile if the file or the web cannot be read; both leave everything as it was.
    """
    opened, before = open_web(web), web.added_labels
    assert isinstance(opened, VirtualWeb)
    try:
        summary = LabelSummary()
        found = _read(opened, file, summary, progress, leave_out_bad, measured_by)
        if not found:
            raise WebRefused(_nothing_added(web, file, summary))
        added = list(chain(opened.added_labels(), found))
    finally:
        opened.close()
    summary.labels, summary.pages = len(found), len({url for url, _ in found})
    _put(web, added)
    summary.files = before, web.added_labels
    return summary


def take_back_labels(
    web: Web, files: tuple[str, str], *, measured_by: Collection[str] = ()
) -> int:
    """Takes the labels of one list from their pages again, by its `LabelSummary.files`; returns how
    many. Raises WebRefused if some are among the labels `measured_by`, or the web was changed at
    the same time; that leaves everything as it was.
    """
    before, after = (_added(web, name) for name in files)
    known = set(before)
    taken = [pair for pair in after if pair not in known]
    measured = sorted({label for _, label in taken} & {*measured_by})
    if measured:
        one = len(measured) == 1
        words = "is the true label of a topic" if one else "are true labels of topics"
        raise WebRefused(
            f"{listed(measured[:3])} {words} on this web, and what its crawls are measured by does"
            " not change. The list is kept."
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
    web: VirtualWeb, file: Path, summary: LabelSummary, progress: Progress | None,
    leave_out_bad: bool, measured_by: Collection[str],
) -> dict[tuple[str, str], None]:
    found: dict[tuple[str, str], None] = {}
    told = progress and (lambda read, of: progress(read, of, len(found)))
    for number, text in lines(file, told):
        try:
            pair = _pair(number, text, measured_by)
        except BadLine as error:
            if not leave_out_bad:
                raise
            summary.skip(number, "bad_label", error.detail)
            continue
        if pair is None:
            continue
        page = web.page_at(pair[0])
        if page is None:
            summary.skip(number, "no_page", pair[0])
        elif (page, pair[1]) in found or pair[1] in map(storable, web.labels(page)):
            summary.skip(number, "has_label", f"{pair[0]} {pair[1]}")
        else:
            found[page, pair[1]] = None
    return found


def _pair(number: int, text: bytes, measured_by: Collection[str]) -> tuple[str, str] | None:
    """The address and the label of a line; None for an empty line and a heading. Raises BadLine."""
    fields = list(_fields(number, text))
    if not any(fields) or (number == 1 and fields[0].lower() == "url"):
        return None
    if len(fields) != 2 or not fields[1]:
        why = ("it has more than an address and a label (a label with a comma in it stands in"
               " double quotes)" if len(fields) > 2 else "its label is missing")  # fmt: skip
        raise _bad(number, why)
    url, label = canonical(fields[0]), fields[1]
    if url is None:
        raise _bad(number, f"“{fields[0][:80]}” is not a web address")
    if len(label) > LONGEST_LABEL:
        raise _bad(number, f"the label is longer than {LONGEST_LABEL} characters")
    if label in measured_by:
        raise _bad(number, f"{label} is the true label of a topic on this web, and what its crawls"
                   " are measured by does not change")  # fmt: skip
    return url, label


def _fields(number: int, text: bytes) -> Iterator[str]:
    try:
        line = text.decode("utf-8-sig").rstrip("\r\n")
        row = next(csv.reader([line], delimiter="\t" if "\t" in line else ",", strict=True), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise _bad(number, fault_words(error)) from None
    return (" ".join(storable(field).split()) for field in row)


def _bad(number: int, why: str) -> BadLine:
    return BadLine(f"line {number:,} is not an address and a label: {why}", line=number)


def _nothing_added(web: Web, file: Path, summary: LabelSummary) -> str:
    if not summary.examples:
        return f"{file.name} is empty. Write an address and a label a line: url,label."
    found = "; ".join(
        f"{why}: {summary.skipped[reason]:,}"
        for reason, why in NOTHING.items() if summary.skipped[reason]
    )
    first = summary.examples[0]
    return (
        f"{file.name} adds nothing to {web.name}: {found}."
        f" Line {first.line:,} is the first: {first.what}"
    )


def _put(
    web: Web, added: list[tuple[str, str]], taken: Sequence[tuple[str, str]] = ()
) -> None:
    """Writes the labels and the index with them, without those `taken`, then names both in the row
    of the web."""
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
    if not row.update(added_labels=new.added_labels):
        forget(path)
        forget(index_path(new))
        raise WebRefused("The web was deleted, or given other labels meanwhile. Try again.")
    web.added_labels = new.added_labels
    if indexed:
        forget(before)
