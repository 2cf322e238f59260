"""Web archives as they are met in the field, each with what is right for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from apps.engine.errors import BadWebFile
from apps.engine.networking.redirects import follow_recorded
from apps.engine.parsing.document import parse
from apps.webs.importing import import_web
from apps.webs.opening import open_web

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
CASES = Path(__file__).parents[3] / "shared" / "cases" / "files"
REFUSED = {"w18.mhtml": "MHTML", "w23.cdxj": "index"}
READ_THOUGH_ASKED_ONLY_TO_BE_NAMED = {"w13_zip_of_html.zip": 5, "w17.har": 5}


def cases() -> Iterator[tuple[str, Any]]:
    file = CASES / "expected.json"
    expected = json.loads(file.read_text()) if file.exists() else {}
    for name, right in expected.items():
        if name.startswith("webs/"):
            yield name.removeprefix("webs/"), right


@pytest.mark.skipif(not CASES.is_dir(), reason="the files are not here")
@pytest.mark.parametrize(("name", "right"), [*cases()], ids=lambda each: str(each)[:40])
def test_an_archive_is_read_as_it_is(name: str, right: dict[str, Any], data_dir: Path) -> None:
    file = CASES / "webs" / name
    if name in REFUSED:
        with pytest.raises(BadWebFile, match=REFUSED[name]):
            import_web("case", file)
        return
    is_torn = "truncated" in name
    if is_torn:
        with pytest.raises(BadWebFile, match="breaks off"):
            import_web("case", file)
    web, summary = import_web("case", file, leave_out_bad=is_torn)
    opened = open_web(web)
    answers = [opened.get(url) for url in opened.urls()]
    assert len(answers) == right.get("pages", READ_THOUGH_ASKED_ONLY_TO_BE_NAMED.get(name))
    assert summary.skipped == ({"broken_off": 1} if is_torn else {})
    links = [parse(answer).links.urls for answer in answers]
    if "links_of_each" in right:
        assert {len(each) for each in links} == {right["links_of_each"]}
        assert not any(follow_recorded(url, opened.get).failure for urls in links for url in urls)
    if "redirects" in right:
        assert summary.redirects == right["redirects"]
    if "dates" in right:
        at = {datetime.fromisoformat(text) for text in right["dates"]}
        assert {datetime.fromtimestamp(answer.fetched_at, UTC) for answer in answers} == at
