"""The upload forms for large files."""

from __future__ import annotations

from pathlib import PurePath

from django import forms
from django.contrib.auth.models import AbstractUser

from apps.uploads.models import Upload
from apps.uploads.services import UploadRefused, take_upload

ENDINGS = frozenset({".gz", ".jsonl", ".json", ".warc", ".wacz", ".csv", ".tsv", ".rdf", ".xml",
                     ".u8"})  # fmt: skip


class UploadForm(forms.Form):
    """A file and the name of what is made from it; by default the file's name."""

    kind: str = ""

    file = forms.FileField(
        label="File", max_length=None, allow_empty_file=True,
        error_messages={"required": "Choose a file."},
    )
    name = forms.CharField(
        label="Name", required=False,
        widget=forms.TextInput(attrs={"placeholder": "from the file’s name"}),
    )

    def take(self, owner: AbstractUser) -> Upload | None:
        """The upload, or None if it is refused, with the reason at its field. Only for a valid
        form."""
        given = self.cleaned_data
        name = given["name"].strip() or _stem(given["file"].name)
        try:
            return take_upload(
                owner, self.kind, name, given["file"], given.get("redirects"),
                leave_out_bad=given.get("leave_out_bad", False),
            )
        except UploadRefused as refusal:
            self.add_error(refusal.field, refusal.message)
            return None


class WebUploadForm(UploadForm):
    """A recorded web; JSON lines may have their redirects in a separate file."""

    kind = Upload.Kind.WEB
    leave_out_bad = forms.TypedChoiceField(
        label="Broken lines", required=False, coerce=bool, empty_value=False,
        choices=(("", "stop at the first, keep nothing"), ("yes", "skip and count them")),
    )
    redirects = forms.FileField(
        label="Redirects", required=False, allow_empty_file=True,
        help_text='Only with JSON lines: one JSON object {"from": "to"}, up to 20 MB.',
    )


class DirectoryUploadForm(UploadForm):
    """A directory of categories and their pages."""

    kind = Upload.Kind.DIRECTORY


def _stem(file_name: str) -> str:
    """`coast` of `coast.jsonl.gz`."""
    path = PurePath(file_name)
    while path.suffix.lower() in ENDINGS:
        path = path.with_suffix("")
    return path.name.replace(" ", "-")

