"""Rules of templates and static files: no other host, nothing inline, no empty heading of a column,
no merge left half done."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted(ROOT.glob("templates/**/*.html"))
OURS = [*TEMPLATES, *sorted([*ROOT.glob("static/css/*.css"), *ROOT.glob("static/js/**/*.js")])]
HOST = re.compile(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}")
RESERVED = (".example", ".test", "www.w3.org")
INLINE = re.compile(r"<script(?![^>]*\bsrc=)|\son[a-z]+=")
EMPTY_HEADING = re.compile(r"<th(?![^>]*aria-hidden)[^>]*>\s*</th>")
CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: |$)", re.M)


def found(pattern: re.Pattern[str], paths: list[Path]) -> list[tuple[str, str]]:
    """Each place where the pattern stands, with its file."""
    assert len(paths) > 50
    return [
        (str(path.relative_to(ROOT)), url)
        for path in paths
        for url in pattern.findall(path.read_text())
    ]


def test_no_file_names_another_host() -> None:
    assert [one for one in found(HOST, OURS) if not one[1].endswith(RESERVED)] == []


def test_no_template_has_an_inline_script() -> None:
    assert found(INLINE, TEMPLATES) == []


def test_no_heading_of_a_column_is_empty() -> None:
    assert found(EMPTY_HEADING, TEMPLATES) == []


def test_no_file_has_marks_of_a_conflict() -> None:
    assert found(CONFLICT, OURS) == []
