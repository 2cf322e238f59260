"""Uploads as rows of a screen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.template.defaultfilters import filesizeformat

from apps.figures.quantities import number_of, roughly, share
from apps.jobs.models import Job
from apps.uploads.models import Upload

WHY_LEFT_OUT = {
    "not_http": "not a web address such as https://www.example.org/page",
    "too_long": "longer than 2,000 characters",
    "not_public": "an address on a private network, where no crawl may go",
    "twice": "listed twice in one category",
    "duplicate": "an address that was listed before",
    "redirect_not_http": "a redirect from or to what is not a web address",
    "redirect_not_needed": "a redirect from an address that has a page, or to itself",
    "not_text": "not text",
    "empty": "an empty page",
    "bad_line": "not a page",
    "bad_label": "not an address and a label",
    "no_page": "an address without a page in this web",
    "has_label": "a label that the page has already",
    "encoding": "compressed in an unknown way",
    "revisit": "a revisit record without the page it repeats",
}


@dataclass(frozen=True, slots=True)
class UploadRow:
    """An upload (`job`) as its row shows it: state with icon and tone, text and advice."""

    job: Upload
    icon: str
    tone: str
    state: str
    words: str
    advice: str = ""

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.job.file_name

    @property
    def about(self) -> str:
        """`becomes coast, 1.2 MB`."""
        becomes = "labels of" if self.job.kind == Upload.Kind.LABELS else "becomes"
        return f"{becomes} {self.job.name}, {filesizeformat(self.job.size)}"

    @property
    def share_read(self) -> float:
        """The share that is read."""
        return self.job.share_read


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many entries of a file were skipped for one reason, with the first of them."""

    number: int
    why: str
    first: tuple[tuple[int, str], ...]


def upload_rows(uploads: Iterable[Upload]) -> list[UploadRow]:
    """Rows of uploads: under way, failed, or reported after their end."""
    return [_row(upload) for upload in uploads]


def _row(upload: Upload) -> UploadRow:
    if upload.job_state == Job.State.FAILED:
        return UploadRow(
            upload, "cross", "bad", "Not imported", upload.job_problem, _advice(upload)
        )
    if upload.job_state == Job.State.DONE:
        return UploadRow(upload, "check", "ok", "Added", _added(upload))
    if upload.is_waiting:
        return UploadRow(upload, "clock", "quiet", "Waiting", "A worker will read it soon.")
    return UploadRow(upload, "play", "ok", "Reading", _progress(upload))


def _added(upload: Upload) -> str:
    made = upload.report["made"]
    return f"{number_of(made['labels'], 'label')} added to {number_of(made['pages'], 'page')}."


def _progress(upload: Upload) -> str:
    """`84,200 pages so far, 61 % of the file; about 4 min left`, as far as it can be computed."""
    read = f"{share(upload.share_read)} of the file"
    words = f"{number_of(upload.pages, 'page')} so far, {read}" if upload.pages else f"{read} read"
    left = upload.seconds_left
    return words if left is None else f"{words}; about {roughly(left)} left"


def _advice(upload: Upload) -> str:
    if upload.bad_line is None:
        return ""
    way = "Correct it and upload again, or import what can be read."
    if upload.bad_line == 1:
        return way
    before = upload.bad_line - 1
    fine = "The line before it is" if before == 1 else f"The {before:,} lines before it are"
    return f"{way} {fine} fine."


def left_out_rows(upload: Upload) -> list[LeftOut]:
    """The skipped entries of an imported file, by reason."""
    skipped, first = upload.report.get("skipped", {}), upload.report.get("first", ())
    return [
        LeftOut(
            number,
            why_left_out(reason),
            tuple((line, text) for line, why, text in first if why == reason)[:10],
        )
        for reason, number in skipped.items()
    ]


def why_left_out(reason: str) -> str:
    """A reason in words; an HTTP answer shows its status code."""
    if reason.startswith("http_"):
        return f"answered with HTTP {reason.removeprefix('http_')}"
    return WHY_LEFT_OUT.get(reason, reason)
