"""Collections as WACZ."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zipfile

from apps.crawls.models import Crawl
from apps.exports import wacz
from apps.exports.rows import Selection
from apps.webs.importing import import_web
from tests.exports.test_exports import crawl, owner, recorded  # noqa: F401


def package_of(crawl: Crawl) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(b"".join(wacz.export(Selection.of_crawl(crawl)))))


def test_every_part_is_hashed(crawl: Crawl) -> None:
    package = package_of(crawl)
    description = package.read("datapackage.json")
    digest = json.loads(package.read("datapackage-digest.json"))
    assert digest["hash"] == f"sha256:{hashlib.sha256(description).hexdigest()}"
    parts = json.loads(description)["resources"]
    assert [part["path"] for part in parts] == [wacz.ARCHIVE, wacz.INDEX, wacz.PAGES]
    for part in parts:
        data = package.read(part["path"])
        assert part["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        assert part["bytes"] == len(data)


def test_each_line_of_the_index_leads_to_its_record(crawl: Crawl) -> None:
    package = package_of(crawl)
    archive = package.read(wacz.ARCHIVE)
    lines = package.read(wacz.INDEX).decode().splitlines()
    assert len(lines) == 8 and lines == sorted(lines)
    for line in lines:
        key, moment, fields = line.split(" ", 2)
        record = json.loads(fields)
        start, length = int(record["offset"]), int(record["length"])
        text = gzip.decompress(archive[start : start + length])
        assert f"WARC-Target-URI: {record['url']}\r\n".encode() in text
        assert key == f"test,a)/{record['url'][-1]}" and moment == "20260603101205"
        assert (record["mime"], record["status"]) == ("text/html", "200")


def test_a_web_can_be_made_of_it(recorded: Crawl, tmp_path) -> None:
    path = tmp_path / "small.wacz"
    path.write_bytes(b"".join(wacz.export(Selection.of_crawl(recorded))))
    assert import_web("again", path)[1].pages == 3
