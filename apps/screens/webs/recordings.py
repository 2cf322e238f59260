"""Webs made of crawls' pages: the form, those in the making, and withdrawing one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.crawls.models import Crawl, Recording
from apps.crawls.pages import recording
from apps.crawls.pages.recording import RecordingSent, ask_for_recording, recordable_crawls
from apps.engine.intelligence.strategies import strategy_title
from apps.figures.quantities import number_of
from apps.jobs.models import Job
from apps.schemas.input import describe_accepted
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused
from apps.screens.schema_fields import read_form, text

LISTED = 100


@dataclass(frozen=True, slots=True)
class RecordingRow:
    """A web in the making (`job`) as its row shows it: state with icon and tone, and text."""

    job: Recording
    icon: str
    tone: str
    state: str
    words: str

    @property
    def name(self) -> str:
        """The name that it will have."""
        return self.job.name

    @property
    def about(self) -> str:
        """`from crawls #3 #4`."""
        crawls = self.job.crawls
        rerun = ", then run again on it" if self.job.rerun else ""
        return f"from crawl{'s' * (len(crawls) > 1)} {' '.join(f'#{pk}' for pk in crawls)}{rerun}"


def recording_rows(recordings: Iterable[Recording]) -> list[RecordingRow]:
    """Rows of webs that are being made or could not be."""
    return [_row(each) for each in recordings]


def _row(each: Recording) -> RecordingRow:
    if each.job_state == Job.State.FAILED:
        return RecordingRow(each, "cross", "bad", "Not made", each.job_problem)
    if each.is_waiting:
        return RecordingRow(each, "clock", "quiet", "Waiting", "A worker will make it soon.")
    words = f"{each.done:,} of {number_of(each.pages, 'page')} read."
    return RecordingRow(each, "play", "ok", "Making", words)


class RecordingForm(forms.Form):
    """The crawls, the name of the web, and the label of relevant pages. `offered` are the crawls
    listed: the newest, and those that were sent."""

    def __init__(self, user: User, data: QueryDict | None, chosen: list[str]) -> None:
        super().__init__(data, initial={"crawls": chosen})
        recordable = recordable_crawls(user)
        numbers = [number for text in chosen if (number := whole_number(text))]
        newest = list(recordable[:LISTED])
        older = recordable.filter(pk__in=numbers).exclude(pk__in=[crawl.pk for crawl in newest])
        self.user, self.offered = user, [*older, *newest]
        self.has_more = recordable.count() > len(self.offered)
        self.fields["crawls"] = forms.MultipleChoiceField(
            label="Crawls",
            choices=[(str(crawl.pk), crawl.pk) for crawl in self.offered],
            error_messages={
                "required": "Choose at least one crawl.",
                "invalid_choice": "There is no such crawl with stored pages for you.",
            },
        )
        self.fields["name"] = text(
            RecordingSent,
            "name",
            label="Name",
            help_text="If empty, made of the crawls’ numbers.",
        )
        self.fields["label"] = forms.CharField(
            label="Label of relevant pages",
            required=False,
            max_length=40,
            error_messages={"max_length": describe_accepted(RecordingSent, "label")},
            help_text="Pages that the judge of their crawl calls relevant get it, so that a topic"
            " can have it as its true label. Empty for none.",
        )

    @property
    def rows(self) -> list[tuple[Crawl, str, bool]]:
        """The crawls with the title of their strategy, and whether each is chosen."""
        chosen = set(self["crawls"].value() or ())
        return [
            (crawl, strategy_title(crawl.strategy), str(crawl.pk) in chosen)
            for crawl in self.offered
        ]

    def ask(self) -> Recording | None:
        """The job, or None if it is refused, with the reason at its field. Only for a valid
        form."""
        values = self.cleaned_data | {"crawls": [int(pk) for pk in self.cleaned_data["crawls"]]}
        sent = read_form(self, RecordingSent, values)
        if sent is None:
            return None
        try:
            return ask_for_recording(self.user, sent)
        except Refused as refused:
            self.add_error(refused.field, refused.message)
            return None


def from_crawls(request: SignedInRequest) -> HttpResponse:
    """The form; crawls in the address are chosen already. The POST queues the making."""
    data = request.POST if request.method == "POST" else None
    form = RecordingForm(
        request.user, data, (data or request.GET).getlist("crawl" if data is None else "crawls")
    )
    if form.is_valid() and form.ask() is not None:
        return redirect("webs:list")
    return render(request, "webs/from_crawls.html", {"form": form})


@require_POST
def withdraw(request: SignedInRequest, pk: int) -> HttpResponse:
    """Cancels a recording that is under way, or removes a failed one from the list."""
    mine = recording.recordings_of(request.user)
    making = get_object_or_404(mine, pk=pk)
    under_way = making.is_under_way
    recording.withdraw(making)
    if under_way:
        messages.success(request, f"{making.name}: cancelled, nothing is kept.")
    return redirect("webs:list")
