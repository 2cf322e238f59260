"""Nothing is fetched from another host; nothing is inline; no merge was left half done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
OURS = sorted([*ROOT.glob("templates/**/*.html"), *ROOT.glob("static/css/*.css"),
               *ROOT.glob("static/js/**/*.js")])  # fmt: skip


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_it_names_no_other_host(path: Path) -> None:
    addresses = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", path.read_text())
    assert [a for a in addresses if not a.endswith((".example", ".test", "www.w3.org"))] == []


@pytest.mark.parametrize("path", sorted(ROOT.glob("templates/**/*.html")), ids=lambda p: p.name)
def test_it_has_no_inline_script(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"\son[a-z]+=", text)


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_it_has_no_marks_of_a_conflict(path: Path) -> None:
    assert not re.search(r"^(?:<{7}|={7}|>{7})(?: |$)", path.read_text(), re.M)
