"""Importing the file of a topic."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render

from apps.accounts.requests import SignedInRequest
from apps.schemas.json_text import read_json
from apps.schemas.refused import Refused
from apps.screens.offers import offer_rows
from apps.topics.definition.schemas import TopicFile
from apps.topics.importing import import_topic
from apps.topics.services import Saved
from apps.webs.models import Web
from apps.webs.selectors import recorded_webs

MOST_BYTES = 50 * 2**20


class ImportTopicForm(forms.Form):
    """A topic's file, and the web its pages are read from."""

    file = forms.FileField(
        label="File",
        allow_empty_file=True,
        error_messages={"required": "Choose a file."},
        help_text="JSON from Export topic, up to 50 MB.",
    )
    web = forms.ModelChoiceField(
        label="Pages come from",
        queryset=Web.objects.none(),
        required=False,
        empty_label="the live Web",
        help_text="Where the examples are fetched.",
    )
    replace = forms.BooleanField(
        label="Replace a topic of the same name",
        required=False,
        help_text="Its lists become those of the file, and all its pages are read again.",
    )

    def __init__(self, *args: Any, owner: User) -> None:
        super().__init__(*args)
        self.owner = owner
        offer_rows(self, "web", recorded_webs(owner))

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(f"The file is larger than {MOST_BYTES >> 20} MB.")
        return file

    def take(self) -> Saved | None:
        """The topic, or None if it is refused, with the reason at its field. Only for a valid
        form."""
        given = self.cleaned_data
        file, web = given["file"], given["web"]
        try:
            return import_topic(
                self.owner,
                TopicFile.read(read_json(file.read(), file.name)),
                web.pk if web else None,
                replace=given["replace"],
                in_background=True,
            )
        except Refused as refusal:
            self.add_error("file", str(refusal))
        except OSError as error:
            self.add_error("file", f"The pages could not be written: {error.strerror}.")
        return None


def import_file(request: SignedInRequest) -> HttpResponse:
    """Imports a topic's file; lines that are not accepted are marked in the topic's form."""
    form = ImportTopicForm(request.POST or None, request.FILES or None, owner=request.user)
    if request.method == "POST" and form.is_valid() and (saved := form.take()) is not None:
        if not saved.errors:
            return redirect("topic:detail", saved.topic.pk)
        messages.warning(request, "The topic is saved, except for the lines marked below.")
        return redirect("topic:edit", saved.topic.pk)
    return render(request, "topics/import.html", {"form": form})
