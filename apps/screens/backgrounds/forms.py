"""The form of a background, made from the options of its source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile

from apps.background_sources.services import BackgroundSent, make_background
from apps.background_sources.sources.source import BackgroundSource
from apps.backgrounds.models import Background
from apps.schemas.input import Input
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused
from apps.screens.schema_fields import text, whole, words
from apps.webs.models import Web
from apps.webs.selectors import recorded_webs

Field = Callable[[type[Input], User], forms.Field]


def _web(options: type[Input], user: User) -> forms.Field:
    needed = options.model_fields["web"].is_required()
    return forms.ModelChoiceField(
        label="Web",
        queryset=recorded_webs(user),
        required=needed,
        empty_label="Choose a recorded web" if needed else "the live Web",
        error_messages=words(options, "web") | {"required": "Choose a recorded web."},
    )


def _size(options: type[Input], user: User) -> forms.Field:
    return whole(options, "size", label="Pages at most", initial=_preset(options, "size"))


def _seed(options: type[Input], user: User) -> forms.Field:
    return whole(
        options,
        "seed",
        label="Random seed",
        initial=_preset(options, "seed"),
        help_text="The same number draws the same pages.",
    )


def _crawls(options: type[Input], user: User) -> forms.Field:
    return forms.CharField(
        label="Crawls",
        required=False,
        help_text="Their numbers, as in 3, 7. If empty, all that you see.",
    )


def _addresses(options: type[Input], user: User) -> forms.Field:
    return forms.CharField(
        label="Addresses",
        strip=False,
        error_messages=words(options, "addresses"),
        help_text="One a line.",
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "wrap": "off"}),
    )


def _further(options: type[Input], user: User) -> forms.Field:
    return whole(
        options,
        "further",
        label="Further pages",
        initial=_preset(options, "further"),
        help_text="Fetched by following links from these, level by level; 0 for none.",
    )


FIELDS: Mapping[str, Field] = {
    "web": _web,
    "size": _size,
    "seed": _seed,
    "crawls": _crawls,
    "addresses": _addresses,
    "further": _further,
}


class BackgroundForm(forms.Form):
    """The options of one source, and a name."""

    def __init__(self, source: BackgroundSource, user: User, *given: Any) -> None:
        super().__init__(*given)
        self.source, self.user = source, user
        if source.takes_file:
            self.fields["file"] = forms.FileField(
                label="File",
                help_text=source.accepts,
                allow_empty_file=True,
                error_messages={"required": "Choose a file."},
            )
        for name in source.options.model_fields:
            if name in FIELDS:
                self.fields[name] = FIELDS[name](source.options, user)
        self.fields["name"] = text(
            BackgroundSent, "name", label="Name", help_text="If empty, that of its source."
        )

    def make(self) -> Background | None:
        """The background, or None if it is refused, with the reason at its field. Only for a valid
        form."""
        values = dict(self.cleaned_data)
        file: UploadedFile[Any] | None = values.pop("file", None)
        name = values.pop("name")
        options = {
            key: _plain_value(key, value) for key, value in values.items() if value is not None
        }
        try:
            sent = BackgroundSent.read({"name": name, "source": self.source.id, "options": options})
            return make_background(self.user, sent, file)
        except Refused as refused:
            field = refused.field.rpartition(".")[2]
            self.add_error(field if field in self.fields else None, refused.message)
            return None


def _preset(options: type[Input], name: str) -> Any:
    return options.model_fields[name].default


def _plain_value(name: str, value: Any) -> Any:
    """A form's value as its schema reads it."""
    if isinstance(value, Web):
        return value.pk
    if name == "crawls":
        numbers = value.replace("#", " ").replace(",", " ").split()
        return [word if (number := whole_number(word)) is None else number for word in numbers]
    if name == "addresses":
        return [line.strip() for line in value.splitlines() if line.strip()]
    return value
