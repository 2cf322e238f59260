"""The filter by the language of most of a host's pages."""

from __future__ import annotations

from apps.search.filter import Field
from apps.search.list_filters import WordValues


class HostLanguage(WordValues):
    """Filters by the language of most of its pages."""

    id = "language"
    title = "Language"
    sentence = "The language that most pages of the host are in, by its code."
    unknown = "is not a language"
    fields = (Field("language", "Codes of languages."),)
    example = "language=de"
    column = "language"


LANGUAGE = HostLanguage()
