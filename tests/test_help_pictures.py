"""Pictures of the help: they exist, are small, and say in words what they show."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
MOST_BYTES = 60_000
IMAGE = re.compile(r"<img\b[^>]*>")
FILE = re.compile(r"{% static 'help/([a-z-]+\.jpg)' %}")
ALT = re.compile(r'alt="([^"]+)"')


def images() -> list[str]:
    templates = sorted(ROOT.glob("templates/help/**/*.html"))
    return [image for template in templates for image in IMAGE.findall(template.read_text())]


def test_each_picture_that_the_help_names_exists_and_is_small() -> None:
    names = {name for image in images() for name in FILE.findall(image)}
    folder = ROOT / "static" / "help"
    assert names == {path.name for path in folder.iterdir()} and len(names) >= 4
    for name in names:
        picture = (folder / name).read_bytes()
        assert picture.startswith(b"\xff\xd8") and len(picture) <= MOST_BYTES, name


def test_each_picture_has_a_text_that_describes_it() -> None:
    for image in images():
        words = ALT.search(image)
        assert words is not None and len(words[1]) > 30, image
