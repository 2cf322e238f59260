"""The stemmers of languages: Porter's for English, Snowball's for others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import Stemmer

_STEMMERS: Mapping[str, str] = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "porter",
    "es": "spanish",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
STEMMED_LANGUAGES = tuple(_STEMMERS)


def stemmer(language: str | None) -> Callable[[str], str]:
    """The stemmer for lower-case words of a language; the identity for a language without one."""
    algorithm = _STEMMERS.get(primary_subtag(language or ""))
    return Stemmer.Stemmer(algorithm, 0).stemWord if algorithm else str


def primary_subtag(language: str) -> str:
    """`pt-BR` → `pt`."""
    return language.replace("_", "-").split("-")[0].lower()
