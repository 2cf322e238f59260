"""The upload forms for large files."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from django import forms
from django.contrib.auth.models import User

from apps.screens.offers import offer_rows
from apps.uploads.models import Upload
from apps.uploads.services import (
    UploadRefused,
    check_sizes,
    check_upload_name,
    stored_name,
    take_upload,
)
from apps.webs.models import Web
from apps.webs.selectors import owned_webs

ENDINGS = frozenset(
    {".gz", ".jsonl", ".json", ".warc", ".wacz", ".csv", ".tsv", ".rdf", ".xml", ".u8"}
)
TABLES = (".csv", ".tsv")


class UploadForm(forms.Form):
    """A file and the name of what is made from it; by default the file's name."""

    kind: str = ""

    file = forms.FileField(
        label="File",
        max_length=None,
        allow_empty_file=True,
        error_messages={"required": "Choose a file."},
    )
    name = forms.CharField(
        label="Name",
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "from the file’s name"}),
    )
    # What the files will be, before they are sent.
    file_size = forms.IntegerField(required=False, min_value=0)
    redirects_size = forms.IntegerField(required=False, min_value=0)

    def take(self, owner: User) -> Upload | None:
        """The upload, or None if it is refused, with the reason at its field. Only for a valid
        form."""
        given = self.cleaned_data
        try:
            return take_upload(
                owner,
                Upload.Kind.LABELS if given.get("web") else self.kind,
                self._name(),
                given["file"],
                given.get("redirects"),
                leave_out_bad=bool(given.get("leave_out_bad")),
                web=given.get("web"),
            )
        except UploadRefused as refusal:
            self.add_error(refusal.field, refusal.message)
            return None

    def check_unsent(self, owner: User) -> None:
        """Puts at their fields what `take` would refuse by the names and sizes of files that are
        not there yet."""
        if not self.is_valid():
            return
        given = self.cleaned_data
        try:
            if not given.get("web"):
                check_upload_name(owner, self.kind, stored_name(self._name()))
            if given["file_size"] is not None:
                check_sizes(given["file_size"], given["redirects_size"] or 0)
        except UploadRefused as refusal:
            self.add_error(refusal.field, refusal.message)

    def _name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        return name or _stem(self.cleaned_data["file"].name)


class OwnWebs(forms.ModelChoiceField):  # type: ignore[type-arg]  # takes none when it runs
    """A web of a person's own, which labels are for; or none, for a file that becomes a web."""

    def label_from_instance(self, obj: Web) -> str:
        return f"labels of {obj.name}"


class WebUploadForm(UploadForm):
    """A recorded web, or labels of one; JSON lines may have their redirects in a separate file."""

    kind = Upload.Kind.WEB
    web = OwnWebs(
        Web.objects.none(),
        label="Becomes",
        required=False,
        empty_label="a new web",
        error_messages={"invalid_choice": "You have no such web."},
    )
    leave_out_bad = forms.TypedChoiceField(
        label="Broken lines",
        required=False,
        coerce=bool,
        empty_value="",
        choices=(("", "stop at the first, keep nothing"), ("yes", "skip and count them")),
    )
    redirects = forms.FileField(
        label="Redirects",
        required=False,
        allow_empty_file=True,
        help_text='Only with JSON lines: one JSON object {"from": "to"}, up to 20 MB.',
    )

    def __init__(self, *args: Any, user: User | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        if user is not None:
            offer_rows(self, "web", owned_webs(user).order_by("name"))

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        name = given["file"].name.lower().removesuffix(".gz") if given.get("file") else ""
        if name.endswith(TABLES) and not given.get("web") and "web" not in self.errors:
            self.add_error("web", "A table is a list of labels: choose the web that they are for.")
        return given


class DirectoryUploadForm(UploadForm):
    """A directory of categories and their pages."""

    kind = Upload.Kind.DIRECTORY


def _stem(file_name: str) -> str:
    """`coast` of `coast.jsonl.gz`."""
    path = PurePath(file_name)
    while path.suffix.lower() in ENDINGS:
        path = path.with_suffix("")
    return path.name.replace(" ", "-")
