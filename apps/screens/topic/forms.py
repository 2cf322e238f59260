"""The form of a topic. Lists are parsed by the service, which keeps the valid lines."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from apps.lists.limits import BadList
from apps.screens.offers import offer_choices, offer_rows
from apps.screens.schema_fields import read_form, text, whole
from apps.screens.topic.languages_widget import LanguagesWidget
from apps.topics.definition.lines import read_keywords
from apps.topics.definition.list_files import below, lists_of_file
from apps.topics.definition.reading import LISTS
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.selectors import list_texts
from apps.webs.models import Web
from apps.webs.selectors import LIVE, webs_of_both

DRAW_THEM = "Draw them from your other topics of the same web"
NONE_TO_DRAW = "None for now: no other topic of yours has examples on this web to draw them from"

NEGATIVES = [
    ("others", DRAW_THEM),
    ("sample", "Sample them: a recorded web evenly, the live Web around the examples"),
]
HIDDEN = mark_safe(" hidden")


def _list(label: str, help_text: str, rows: int = 6) -> forms.CharField:
    """A list of one entry a line, kept exactly as typed so that line numbers hold."""
    area = forms.Textarea(
        attrs={"rows": rows, "class": "addresses", "spellcheck": "false", "wrap": "off"}
    )
    return forms.CharField(
        label=label, help_text=help_text, required=False, strip=False, widget=area
    )


def with_files(
    data: Mapping[str, Any], files: Mapping[str, UploadedFile[Any]]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The typed texts with the lines of the files appended, and by list why a file is not accepted.

    The file of a list is named `<list>_file`.
    """
    typed: dict[str, Any] = {name: data.get(name) for name in data}
    problems = {}
    for name in LISTS:
        file = files.get(f"{name}_file")
        try:
            lists = lists_of_file(file, name) if file else {}
        except BadList as error:
            problems[name] = f"{file.name}: {error}" if file else str(error)
            continue
        for where, lines in lists.items():
            typed[where] = below(typed.get(where) or "", lines)
    return typed, problems


class TopicForm(forms.Form):
    """Everything that defines a topic; a valid form has its `definition`."""

    definition: Definition

    name = text(Definition, "name", label="Name", help_text="In lists and downloads.")
    description = text(
        Definition,
        "description",
        label="Description",
        help_text="What belongs to the topic and what does not, for the people you work with."
        " Optional.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    keywords = forms.CharField(
        label="Keywords",
        required=False,
        help_text="Optional, separated by commas. Best first and the shark family follow them.",
        widget=forms.Textarea(attrs={"rows": 1}),
    )
    language = text(
        Definition,
        "language",
        label="Language",
        help_text="Sets the stemmer and the stop words; with two languages, those of each page.",
        widget=LanguagesWidget(),
    )
    web = forms.ModelChoiceField(
        label="Pages come from",
        queryset=Web.objects.none(),
        required=False,
        empty_label="the live Web",
        help_text="Where examples are fetched and crawls begin: a recorded web for its pages, "
        "the demo’s too.",
    )
    web_label = text(
        Definition,
        "web_label",
        label="True label",
        help_text="Optional: the label of this topic's pages, where the recorded web has labels.",
    )
    negatives_per_positive = whole(
        Definition,
        "negatives_per_positive",
        label="Negatives per positive",
        initial=2,
        required=True,
        help_text="How many are drawn for each positive example.",
    )
    random_seed = whole(Definition, "random_seed", widget=forms.HiddenInput)
    without_negatives = forms.ChoiceField(
        label="If none are pasted",
        required=False,
        initial="others",
        choices=NEGATIVES,
        widget=forms.RadioSelect,
    )
    seeds = _list("Seeds", "1 or more: a crawl starts here, in this order.")
    positives = _list(
        "Positive examples",
        "A classifier needs 2, the preview 5, a good classifier about 20.",
    )
    negatives = _list(
        "Negative examples",
        "Pages off the topic, if you know some.",
    )
    targets = _list(
        "Targets",
        "None may be a seed or a training example.",
    )
    evaluation_positives = _list(
        "Positive examples for judging",
        "The committee that judges crawls learns from these alone: at least as many as there are "
        "positive examples, and none of those.",
    )
    evaluation_negatives = _list(
        "Negative examples for judging",
        "Leave empty to draw them from your other topics of the same web, if there are any.",
    )
    inlinks = _list(
        "In-link counts",
        "address,count a line: how many pages link to it. Status is learned from the counts of"
        " positive examples.",
    )

    backlinks = _list(
        "Back-link pages",
        "Pages that link to the examples. Text window, back-links learns from the words around"
        " those links.",
        rows=4,
    )
    corpus = _list(
        "Corpus",
        "Unlabelled pages of the topic’s field, for HCLA, PLSI + PHITS and Shark-Search (BM25). "
        "Leave empty to use background pages and the examples without their labels.",
        rows=4,
    )

    def __init__(
        self,
        data: Any = None,
        files: Mapping[str, UploadedFile[Any]] | None = None,
        *,
        owner: User,
        user: User | None = None,
        **options: Any,
    ) -> None:
        self._bad_files: dict[str, str] = {}
        if data is not None and files:
            data, self._bad_files = with_files(data, files)
        super().__init__(data, **options)
        offer_rows(self, "web", webs_of_both(user or owner, owner))

    def clean(self) -> dict[str, Any]:
        """Reads the definition by its schema, and adds an error to each list whose file was not
        accepted."""
        typed: dict[str, Any] = super().clean() or {}
        for name, problem in self._bad_files.items():
            self.add_error(name, problem)
        read = None if self.errors else read_form(self, Definition, self._plain_values(typed))
        if read is not None:
            self.definition = read
        return typed

    def offer_negatives(self, drawn_on: Collection[str]) -> None:
        """Words the first choice for the selected web: negatives can be drawn from other topics on
        the webs of `drawn_on` (keys, `live` for the live Web)."""
        can_draw = str(self["web"].value() or LIVE) in drawn_on
        words = format_html(
            "<span data-to-draw{}>{}</span><span data-none-to-draw{}>{}</span>",
            "" if can_draw else HIDDEN,
            DRAW_THEM,
            HIDDEN if can_draw else "",
            NONE_TO_DRAW,
        )
        choices = [("others", words), *NEGATIVES[1:]]
        offer_choices(self, "without_negatives", choices)

    @property
    def wants_sample(self) -> bool:
        """Whether negatives are to be sampled; only for a valid form."""
        typed = self.cleaned_data
        return typed["without_negatives"] == "sample" and not typed["negatives"].strip()

    def drop_errors_but_of_files(self) -> None:
        """Keeps only the errors of files that cannot be read: nothing is to be saved yet."""
        for name in [name for name in self.errors if name not in self._bad_files]:
            del self.errors[name]

    @classmethod
    def of(cls, topic: Topic, user: User | None = None) -> TopicForm:
        """The form filled from a topic, including lines that were not accepted.

        It is for `user`, who may change the topic, by default its owner.
        """
        values = {
            name: getattr(topic, name)
            for name in (
                "name",
                "description",
                "language",
                "web",
                "web_label",
                "negatives_per_positive",
            )
        }
        return cls(
            owner=topic.owner,
            user=user,
            initial={**values, "keywords": ", ".join(topic.keywords), **list_texts(topic)},
        )

    @classmethod
    def filled(cls, definition: Definition, owner: User) -> TopicForm:
        """The form filled from an unsaved definition."""
        return cls(
            owner=owner,
            initial={
                **dict(definition),
                **definition.lists,
                "web": definition.web_id,
                "keywords": ", ".join(definition.keywords),
            },
        )

    def _plain_values(self, typed: Mapping[str, Any]) -> dict[str, Any]:
        values = {name: typed[name] for name in Definition.model_fields if name in typed}
        return {
            **values,
            "keywords": read_keywords(typed["keywords"]),
            "web_id": typed["web"].pk if typed["web"] else None,
            "lists": {name: typed[name] for name in LISTS},
        }
