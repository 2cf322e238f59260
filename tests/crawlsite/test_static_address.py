"""Static files have an address that changes with their content, and are kept for good."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.test import Client

from crawlsite.static_address import static_address


def test_the_address_changes_with_any_file(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    script = tmp_path / "js" / "a.js"
    script.write_text("let a;")
    first = static_address(tmp_path)
    assert static_address(tmp_path) == first
    script.write_text("let b;")
    second = static_address(tmp_path)
    script.rename(tmp_path / "js" / "b.js")
    assert len({first, second, static_address(tmp_path)}) == 3


def test_files_are_kept_for_good_under_the_address_of_now() -> None:
    client = Client()
    answer = client.get(f"{settings.STATIC_URL}js/theme.js")
    assert answer.status_code == 200
    assert "immutable" in answer.headers["Cache-Control"]
    assert int(answer.headers["Cache-Control"].split("max-age=")[1].split(",")[0]) > 30_000_000
    admin = client.get(f"{settings.STATIC_URL}admin/css/base.css")
    assert admin.status_code == 200


def test_pages_name_the_address_of_now() -> None:
    page = Client().get("/sign-in/").content.decode()
    assert f'src="{settings.STATIC_URL}js/theme.js"' in page
    assert '"/static/js' not in page
