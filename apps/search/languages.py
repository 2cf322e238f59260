"""Languages by code and English name."""

from __future__ import annotations

from django.conf.locale import LANG_INFO


def language_name(code: str) -> str:
    """The English name of a language, or its code."""
    return str(LANG_INFO.get(code, {}).get("name", code)).partition(" (")[0]


def language_code(text: str) -> str | None:
    """The code (ISO 639-1) of a language by its code or English name, or None."""
    wanted = text.strip().lower()
    codes = [code for code in LANG_INFO if "-" not in code]
    if wanted in codes:
        return wanted
    return next((code for code in codes if language_name(code).lower() == wanted), None)
