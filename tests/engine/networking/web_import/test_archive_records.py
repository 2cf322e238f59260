"""Pages in the records of web archives."""

from __future__ import annotations

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders

from apps.engine.networking.web_import.archive_records import redirect_of, status_of, target


def record(kind: str, status: str, *headers: tuple[str, str], **fields: str) -> ArcWarcRecord:
    head = StatusAndHeaders("WARC/1.0", list(fields.items()))
    http = StatusAndHeaders(status, list(headers), protocol="HTTP/1.1")
    return ArcWarcRecord("warc", kind, head, None, http, "", 0)


def test_the_address_may_stand_in_brackets() -> None:
    assert target(record("response", "200 OK", **{"WARC-Target-URI": "<http://a.test/>"})) == (
        "http://a.test/"
    )


def test_a_record_without_an_answer_is_well() -> None:
    assert status_of(record("resource", "")) == 200
    assert status_of(record("response", "404 Not Found")) == 404
    assert status_of(record("response", "odd")) == 0


def test_a_redirect_or_a_revisit_leads_elsewhere() -> None:
    at = {"WARC-Target-URI": "http://a.test/x/"}
    assert redirect_of(record("response", "301 Moved", ("Location", "../y"), **at)) == (
        "http://a.test/y"
    )
    of = {"WARC-Refers-To-Target-URI": "http://a.test/"}
    assert redirect_of(record("revisit", "200 OK", **at, **of)) == "http://a.test/"
    assert redirect_of(record("revisit", "200 OK", **at)) is None
