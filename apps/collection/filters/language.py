"""The filter by the language of a page's text."""

from __future__ import annotations

from apps.collection.models import UNDETERMINED
from apps.search.filter import Field
from apps.search.page_language import UNSURE, PageLanguage

UNREAD = "unread"


class EntryLanguage(PageLanguage):
    """The languages of a collection's pages, some of which may not be read yet."""

    sentence = f"{PageLanguage.sentence[:-1]}; “not read yet” is read while you wait."
    unknown = "is not a language; give a code as in de, a name as in German, unsure or unread"
    fields = (Field("language", "Codes of languages (ISO 639-1), unsure or unread."),)
    keys = {UNSURE: UNDETERMINED, UNREAD: ""}
    named = {UNDETERMINED: "not sure", "": "not read yet"}


LANGUAGE = EntryLanguage()
