"""The filter by the language of a page's text."""

from __future__ import annotations

from apps.search.page_language import PageLanguage

LANGUAGE = PageLanguage()
