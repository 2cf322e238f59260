"""A topic as a file: taken out, and taken in."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.models import AbstractUser
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render

from apps.crawls.messages import error_words
from apps.crawls.models import Web
from apps.crawls.web_selectors import recorded_webs
from apps.engine.errors import BadWebFile
from apps.topics import selectors
from apps.topics.exporting import topic_file_name, topic_file_of
from apps.topics.importers.topic_file import BadTopicFile, TopicFile, read_json, topic_of
from apps.topics.importing import import_topic
from apps.topics.services import Saved, TopicRefused

MOST_BYTES = 50 * 2**20


def export(request: HttpRequest, pk: int) -> HttpResponse:
    """The topic as JSON, which Import topic and `import_topic` read."""
    topic = get_object_or_404(selectors.visible_topics(request.user), pk=pk)
    try:
        data = topic_file_of(topic)
    except BadWebFile as error:
        messages.error(request, error_words(error))
        return redirect("topics:detail", topic.pk)
    name = f'attachment; filename="{topic_file_name(topic)}"'
    return JsonResponse(
        data, headers={"Content-Disposition": name, "Cache-Control": "no-store"},
        json_dumps_params={"ensure_ascii": False, "indent": 1},
    )


class ImportTopicForm(forms.Form):
    """A topic's file, and the web its pages are read from."""

    file = forms.FileField(
        label="File", allow_empty_file=True, error_messages={"required": "Choose a file."},
        help_text="JSON as Export topic gives it, up to 50 MB.",
    )
    web = forms.ModelChoiceField(
        label="Pages come from", queryset=Web.objects.none(), required=False,
        empty_label="the live Web", help_text="Where the examples are fetched.",
    )
    replace = forms.BooleanField(
        label="Replace a topic of the same name", required=False,
        help_text="Its lists become those of the file, and all its pages are read again.",
    )

    def __init__(self, *args: object, owner: AbstractUser) -> None:
        super().__init__(*args)
        self.owner = owner
        self.fields["web"].queryset = recorded_webs(owner)

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(f"The file is larger than {MOST_BYTES >> 20} MB.")
        return file

    def take(self) -> Saved | None:
        """The topic; None where it is refused, with the reason at its field. Only of a valid
        form."""
        given = self.cleaned_data
        try:
            return import_topic(
                self.owner, self._read(), replace=given["replace"], in_background=True
            )
        except (BadTopicFile, TopicRefused) as refusal:
            self.add_error("file", str(refusal))
        except OSError as error:
            self.add_error("file", f"The pages could not be written: {error.strerror}.")
        return None

    def _read(self) -> TopicFile:
        file, web = self.cleaned_data["file"], self.cleaned_data["web"]
        return topic_of(read_json(file.read(), file.name), web.pk if web else None)


def import_file(request: HttpRequest) -> HttpResponse:
    """Takes a topic's file; lines that are not taken stand in the topic's form, marked."""
    form = ImportTopicForm(request.POST or None, request.FILES or None, owner=request.user)
    if request.method == "POST" and form.is_valid() and (saved := form.take()) is not None:
        if not saved.errors:
            return redirect("topics:detail", saved.topic.pk)
        messages.warning(request, "The topic is saved but for the lines marked below.")
        return redirect("topics:edit", saved.topic.pk)
    return render(request, "topics/import.html", {"form": form})
