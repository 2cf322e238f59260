from __future__ import annotations

import asyncio
import gzip
import itertools
import ssl
import threading
import time
import zlib
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import formatdate
from pathlib import Path

import brotli
import pytest
import zstandard
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from apps.engine.answers import Answer
from apps.engine.errors import AddressRefused
from apps.engine.networking import exchange
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.connections import GuardedResolver, Served
from apps.engine.networking.exchange import Equipment, Hop
from apps.engine.networking.http_fetcher import HttpFetcher
from apps.engine.networking.redirect_cookies import MOST_COOKIES
from apps.engine.urls import canonical
from tests import made_documents as made

OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PAGE = b"<html><title>Bread</title><p>Sourdough and rye.</html>"


async def test_it_fetches_a_page_with_its_headers(site, fetcher):
    site.page("/bread?a=1&b=%20", PAGE, X_Name="value")
    answer = await fetcher.fetch(site.url("/bread?a=1&b=%20"))
    assert (answer.status, answer.body, answer.failure) == (200, PAGE, None)
    assert answer.final_url == answer.url == site.url("/bread?a=1&b=%20")
    assert answer.header("x-name") == "value"
    assert not answer.truncated and answer.hops == ()
    assert answer.seconds > 0 and abs(answer.fetched_at - time.time()) < 60
    assert site.requests[0].headers["user-agent"] == "crawlsite/1.0"
    assert site.paths() == ["/bread?a=1&b=%20"]


async def test_the_trusted_certificates_are_read_once_for_all_fetchers(fetcher, monkeypatch):
    def read_again(**_):
        raise AssertionError("read a second time")

    monkeypatch.setattr(ssl, "create_default_context", read_again)
    other = HttpFetcher(Equipment(AddressGuard(["127.0.0.1"]), "crawlsite/1.0"))
    await other.close()


def self_signed(folder: Path) -> ssl.SSLContext:
    """A server's context with a certificate that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a.test")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name)
    made = made.public_key(key.public_key()).serial_number(1)
    made = made.not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    pem = serialization.Encoding.PEM
    (folder / "pem").write_bytes(
        made.sign(key, hashes.SHA256()).public_bytes(pem)
        + key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "pem")
    return context


async def test_a_certificate_is_checked_unless_its_host_is_allowed(tmp_path):
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"
        writer.write(head % len(PAGE) + PAGE)
        await writer.drain()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=self_signed(tmp_path))
    port = server.sockets[0].getsockname()[1]
    allowed: set[str] = set()
    equipment = Equipment(AddressGuard(["127.0.0.1"]), "crawlsite/1.0")
    fetcher = HttpFetcher(equipment, unverified=allowed)
    url = f"https://127.0.0.1:{port}/"
    try:
        refused = await fetcher.fetch(url)
        assert refused.failure == "certificate" and "signed by the host itself" in refused.detail
        allowed.add(f"127.0.0.1:{port}")
        assert (await fetcher.fetch(url)).body == PAGE
        allowed.clear()
        assert (await fetcher.fetch(url)).failure == "certificate"
    finally:
        await fetcher.close()
        server.close()


async def test_fixed_headers_are_sent_with_every_request_in_place_of_our_own(site):
    site.redirect("/", "/page")
    site.page("/page", PAGE)
    headers = (("X-Project", "Owls"), ("accept", "text/html"))
    fetcher = HttpFetcher(Equipment(AddressGuard(["127.0.0.1"]), "crawlsite/1.0", headers=headers))
    try:
        assert (await fetcher.fetch(site.url("/"))).body == PAGE
    finally:
        await fetcher.close()
    sent = [(r.headers["x-project"], r.headers["accept"]) for r in site.requests]
    assert sent == [("Owls", "text/html")] * 2


async def test_the_conditions_of_a_url_are_sent_with_its_own_request_alone(site):
    site.redirect("/old", "/page")
    site.page("/page", b"", 304)
    fetcher = HttpFetcher(
        Equipment(AddressGuard(["127.0.0.1"]), "crawlsite/1.0"),
        conditions=lambda url: (("If-None-Match", '"1"'),),
    )
    try:
        unchanged = await fetcher.fetch(site.url("/page"))
        redirected = await fetcher.fetch(site.url("/old"))
    finally:
        await fetcher.close()
    assert (unchanged.failure, unchanged.status) == ("not_modified", 304)
    assert redirected.failure == "http_304"
    sent = [(r.path, r.headers.get("if-none-match")) for r in site.requests]
    assert sent == [("/page", '"1"'), ("/old", '"1"'), ("/page", None)]


class Redirecting:
    """An exchange whose every answer is a redirect, but for one that fails."""

    async def send(self, hop: Hop) -> tuple[Answer, float]:
        if hop.url.endswith("/gone"):
            return Answer(hop.url, hop.url, failure="dns"), 0.1
        return Answer(hop.url, hop.url, 301, (("Location", "/gone"),), fetched_at=hop.begun), 0.1


@pytest.mark.parametrize("gate", [None, lambda url: "robots" if url.endswith("/gone") else None])
async def test_a_fetch_that_fails_has_its_times_too(gate):
    async def asked(url: str) -> str | None:
        return gate(url) if gate else None

    fetcher = HttpFetcher(Equipment(AddressGuard(), "test/1.0"), exchange=Redirecting())
    answer = await fetcher.fetch("http://a.test/", asked)
    assert answer.failure == ("robots" if gate else "dns")
    assert (answer.url, answer.final_url) == ("http://a.test/", "http://a.test/gone")
    assert answer.seconds > 0 and abs(answer.fetched_at - time.time()) < 60


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 429, 500, 502, 503, 300, 304])
async def test_it_names_a_bad_status(site, fetcher, status):
    site.page("/", b"" if status == 304 else b"<p>sorry", status)
    answer = await fetcher.fetch(site.url())
    assert (answer.status, answer.failure) == (status, f"http_{status}")


async def test_it_keeps_the_body_of_an_error_page_for_block_detection(site, fetcher):
    site.page("/", b"<title>Just a moment...</title>", 403)
    assert b"Just a moment" in (await fetcher.fetch(site.url())).body


async def test_it_calls_a_page_without_a_body_empty(site, fetcher):
    site.page("/", b"")
    site.raw("/none", b"HTTP/1.1 204 No Content\r\n\r\n")
    assert (await fetcher.fetch(site.url())).failure == "empty"
    assert (await fetcher.fetch(site.url("/none"))).failure == "empty"


@pytest.mark.parametrize(
    "kind", ["image/png", "application/pdf", "application/octet-stream", "video/mp4; x=y"]
)
async def test_it_does_not_read_what_is_not_text(site, fetcher, kind):
    async def endless(writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nX-Kept: yes\r\n\r\n"
        writer.write(head.encode())
        while True:
            writer.write(b"x" * 10_000)
            await writer.drain()

    site.scripts["/"] = endless
    answer = await fetcher.fetch(site.url())
    assert (answer.failure, answer.body, answer.header("X-Kept")) == ("not_text", b"", "yes")


@pytest.mark.parametrize(
    "kind", ["text/html", "TEXT/HTML; charset=x", "application/xhtml+xml", "text/plain", "text/xml"]
)
async def test_it_reads_text_types(site, fetcher, kind):
    site.page("/", PAGE, Content_Type=kind)
    assert (await fetcher.fetch(site.url())).body == PAGE


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        (PAGE, None),
        (b"\xef\xbb\xbfna\xc3\xafve", None),
        (b"%PDF-1.4 text", "not_text"),
        (b"GIF89a\x00\x01", "not_text"),
        (b"a\x00b" * 300, "not_text"),
        (b"x" * 600 + b"\0", None),
    ],
)
async def test_it_sniffs_a_body_without_a_type(site, fetcher, body, failure):
    site.page("/", body, Content_Type="")
    assert (await fetcher.fetch(site.url())).failure == failure


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not_text"),
        (b"PK\x03\x04\x14\0words", "not_text"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "not_text"),
        (b"\x1f\x8b\x08\0", "not_text"),
        (b"%PDF-1.7\n", "not_text"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "not_text"),
        (b"\0\0\0\x18ftypmp42", "not_text"),
        (b"BM\x46\0\0\0", "not_text"),
        (b"BMW builds cars", None),
        (b"RIFF is a format", None),
        (b"The ftyp box", None),
        (b"PK is short for Paul Klee", None),
        (b"<p>stray \x01 byte", None),
        (PAGE, None),
    ],
)
async def test_a_body_that_lies_about_its_type_is_no_page(site, fetcher, body, failure):
    site.page("/", body, Content_Type="text/html")
    answer = await fetcher.fetch(site.url())
    assert answer.failure == failure and bool(answer.body) is (failure is None)


async def test_any_type_takes_what_a_page_may_not_be(site, fetcher):
    site.page("/robots.txt", b"User-agent: *", Content_Type="application/octet-stream")
    site.page("/empty", b"")
    answer = await fetcher.fetch(site.url("/robots.txt"), any_type=True)
    assert (answer.body, answer.failure) == (b"User-agent: *", None)
    assert (await fetcher.fetch(site.url("/empty"), any_type=True)).failure is None


async def test_a_cap_meant_for_pages_does_not_cut_robots_txt(site, fetcher):
    site.page("/robots.txt", b"#" * 150_000)
    assert len((await fetcher.fetch(site.url("/robots.txt"), any_type=True)).body) == 150_000


async def test_closing_ends_the_threads_that_resolve_names(monkeypatch):
    def unknown(*_):
        raise OSError(-2, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", unknown)
    fetcher = HttpFetcher(Equipment(AddressGuard(), "crawlsite", 0.6))
    await fetcher.fetch("http://nowhere.invalid/")
    mine = [thread for thread in threading.enumerate() if thread.name.startswith("resolver")]
    assert mine
    await fetcher.close()
    for thread in mine:
        thread.join(5)
    assert not any(thread.is_alive() for thread in mine)


# Content encodings ------------------------------------------------------------------------------


def _bare_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(PAGE, mtime=0)),
        ("x-gzip", gzip.compress(PAGE, mtime=0)),
        ("GZIP", gzip.compress(PAGE[:20], mtime=0) + gzip.compress(PAGE[20:], mtime=0)),
        ("gzip", gzip.compress(PAGE, mtime=0) + b"trailing rubbish"),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", _bare_deflate(PAGE)),
        ("identity", PAGE),
    ],
)
async def test_it_decodes_what_it_asks_for(site, fetcher, encoding, packed):
    site.page("/", packed, Content_Encoding=encoding)
    answer = await fetcher.fetch(site.url())
    assert (answer.body, answer.failure, answer.truncated) == (PAGE, None, False)


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("br", brotli.compress(PAGE)),
        ("zstd", zstandard.compress(PAGE)),
        ("gzip, br", brotli.compress(gzip.compress(PAGE, mtime=0))),
        ("UTF-8", PAGE),
        ("text/html", PAGE),
        ("gzip", PAGE),
    ],
)
async def test_it_decodes_what_it_did_not_ask_for(site, fetcher, encoding, packed):
    site.page("/", packed, Content_Encoding=encoding)
    answer = await fetcher.fetch(site.url())
    assert (answer.body, answer.failure, answer.truncated) == (PAGE, None, False)
    assert site.requests[0].headers["accept-encoding"] == "gzip, deflate"


@pytest.mark.parametrize("encoding", ["br", "zstd", "deflate"])
async def test_it_reports_a_damaged_encoding(site, fetcher, encoding):
    site.page("/", b"\x98\x98" + PAGE, Content_Encoding=encoding)
    assert (await fetcher.fetch(site.url())).failure == "protocol"


async def test_what_is_not_a_page_is_judged_by_its_status_for_robots_txt(site, fetcher):
    site.raw(
        "/robots.txt", b"HTTP/1.1 403 No\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nxyz"
    )
    answer = await fetcher.fetch(site.url("/robots.txt"), any_type=True)
    assert (answer.status, answer.failure) == (403, "http_403")


async def test_a_location_of_another_code_page_is_sent_on_as_it_is(site, fetcher):
    head = b"HTTP/1.1 302 Found\r\nLocation: /\xec\xe8\xf0\r\nContent-Length: 0\r\n\r\n"
    site.raw("/", head)
    site.page("/%EC%E8%F0", PAGE)
    answer = await fetcher.fetch(site.url())
    assert (answer.body, answer.final_url) == (PAGE, site.url("/%EC%E8%F0"))


async def test_a_coded_body_without_its_end_is_truncated(site, fetcher):
    packed = gzip.compress(bytes(range(32, 127)) * 50)
    site.page("/", packed[:-12], Content_Encoding="gzip")
    answer = await fetcher.fetch(site.url())
    assert answer.truncated and answer.body.startswith(b" !")


async def test_a_bomb_costs_no_more_than_the_cap(site, fetcher):
    packer = zlib.compressobj(1, wbits=31)
    million = b"a" * 1_000_000
    bomb = b"".join(packer.compress(million) for _ in range(50)) + packer.flush()
    site.page("/", bomb, Content_Encoding="gzip")
    answer = await fetcher.fetch(site.url())
    assert (answer.body, answer.truncated, answer.failure) == (b"a" * 100_000, True, None)


async def test_it_cuts_a_body_at_its_cap(site, fetcher):
    site.page("/long", b"x" * 100_001)
    site.page("/fits", b"x" * 100_000)
    long, fits = [await fetcher.fetch(site.url(path)) for path in ("/long", "/fits")]
    assert (len(long.body), long.truncated) == (100_000, True)
    assert (len(fits.body), fits.truncated) == (100_000, False)


# Redirects --------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_it_follows_redirects_and_names_the_hops(site, fetcher, status):
    site.redirect("/a", "b/../c#part", status)
    site.redirect("/c", f"//127.0.0.1:{site.port}/d", status)
    site.page("/d", PAGE)
    answer = await fetcher.fetch(site.url("/a"))
    assert (answer.url, answer.final_url) == (site.url("/a"), site.url("/d"))
    assert (answer.hops, answer.body) == ((site.url("/c"),), PAGE)


async def test_it_ends_redirect_loops_and_long_chains(site, fetcher):
    site.redirect("/loop", "/loop")
    for i in range(20):
        site.redirect(f"/{i}", f"/{i + 1}")
    assert (await fetcher.fetch(site.url("/loop"))).failure == "too_many_redirects"
    assert site.paths() == ["/loop"]
    assert (await fetcher.fetch(site.url("/0"))).failure == "too_many_redirects"
    assert site.paths() == ["/loop", *(f"/{i}" for i in range(11))]


async def test_it_follows_ten_redirects(site, fetcher):
    for i in range(10):
        site.redirect(f"/{i}", f"/{i + 1}")
    site.page("/10", PAGE)
    answer = await fetcher.fetch(site.url("/0"))
    assert answer.failure is None and len(answer.hops) == 9


@pytest.mark.parametrize(
    ("target", "failure"),
    [
        ("ftp://127.0.0.1/", "bad_url"),
        ("javascript:alert(1)", "bad_url"),
        ("http://", "bad_url"),
        ("", "protocol"),
    ],
)
async def test_it_does_not_follow_redirects_that_lead_nowhere(site, fetcher, target, failure):
    site.redirect("/", target)
    assert (await fetcher.fetch(site.url())).failure == failure


async def test_the_gate_is_asked_before_every_hop(site, fetcher):
    site.redirect("/a", "/b")
    site.redirect("/b", "/secret")
    site.page("/secret")
    asked = []

    async def gate(url: str) -> str | None:
        asked.append(url)
        return "robots" if url.endswith("/secret") else None

    answer = await fetcher.fetch(site.url("/a"), gate)
    assert asked == [site.url(path) for path in ("/a", "/b", "/secret")]
    assert site.paths() == ["/a", "/b"]
    assert (answer.failure, answer.final_url, answer.hops) == (
        "robots",
        site.url("/secret"),
        (site.url("/b"),),
    )


async def test_a_gate_that_waits_takes_nothing_from_the_deadline(site, fetcher):
    site.page("/", PAGE)

    async def gate(url: str) -> None:
        await asyncio.sleep(1.2)

    assert (await fetcher.fetch(site.url(), gate)).failure is None


# Addresses --------------------------------------------------------------------------------------


def _loopback_forms(port: int) -> Iterator[str]:
    for host in (
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "127.1",
        "0177.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::1]",
        "[::7f00:1]",
        "0.0.0.0",
        "169.254.169.254",
        "10.0.0.1",
        "user:password@127.0.0.1",
        "127.0.0.1.",
        "\uff11\uff12\uff17.0.0.1",
    ):
        yield f"http://{host}:{port}/"
    yield f"//127.0.0.1:{port}/"


async def test_no_form_of_a_private_address_is_reached(site):
    site.page("/")
    site.page("/private")
    fetcher = HttpFetcher(Equipment(AddressGuard(), "crawlsite", 0.6))
    front = HttpFetcher(
        Equipment(
            AddressGuard(),
            "crawlsite",
            0.6,
            served=Served(frozenset({"front.test"}), "127.0.0.1", site.port),
        )
    )
    for form in _loopback_forms(site.port):
        if not form.startswith("//"):
            answer = await fetcher.fetch(canonical(form))
            assert answer.failure == "address_refused", (form, answer)
            assert (await fetcher.fetch(form)).failure in ("address_refused", "bad_url"), form
        site.redirect("/hop", form)
        answer = await front.fetch("http://front.test/hop")
        assert answer.failure == "dns", (form, answer)
    assert set(site.paths()) == {"/hop"}
    await fetcher.close()
    await front.close()


async def test_a_redirect_from_an_allowed_address_to_another_private_one_is_refused(site, fetcher):
    site.redirect("/", f"http://127.0.0.2:{site.port}/private")
    answer = await fetcher.fetch(site.url())
    assert answer.failure == "address_refused"
    assert answer.final_url == f"http://127.0.0.2:{site.port}/private"
    assert site.paths() == ["/"]


async def test_a_name_with_any_private_address_is_refused(site, monkeypatch):
    def both(host, port, *_):
        return [(2, 1, 6, "", (address, port)) for address in ("93.184.216.34", "127.0.0.1")]

    monkeypatch.setattr("socket.getaddrinfo", both)
    fetcher = HttpFetcher(Equipment(AddressGuard(), "crawlsite", 0.6))
    assert (await fetcher.fetch(f"http://both.test:{site.port}/")).failure == "address_refused"
    assert site.requests == []
    await fetcher.close()


async def test_a_name_that_changes_its_address_between_two_looks_gains_nothing(site, monkeypatch):
    turns = itertools.cycle(["127.0.0.1", "127.0.0.2"])
    asked = []

    def rebinding(host, port, *_):
        asked.append(host)
        return [(2, 1, 6, "", (next(turns), port))]

    monkeypatch.setattr("socket.getaddrinfo", rebinding)
    site.page("/")
    fetcher = HttpFetcher(Equipment(AddressGuard(["127.0.0.1"]), "crawlsite", 0.6))
    answer = await fetcher.fetch(f"http://rebind.test:{site.port}/")
    assert answer.failure is None and asked == ["rebind.test"]
    await fetcher.close()


@pytest.mark.parametrize("host", ["intranet", "db.internal", "x.onion", "nas.lan", "a.test:0"])
async def test_no_name_server_is_asked_for_a_name_that_cannot_be_public(monkeypatch, host):
    asked = []
    monkeypatch.setattr("socket.getaddrinfo", lambda *given: asked.append(given) or [])
    fetcher = HttpFetcher(Equipment(AddressGuard(), "crawlsite", 0.6))
    assert (await fetcher.fetch(f"http://{host}/")).failure == "address_refused"
    assert asked == []
    await fetcher.close()


@pytest.mark.parametrize("answers", [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::1"]])
async def test_the_resolver_itself_refuses_a_name_with_a_private_address(monkeypatch, answers):
    """Before any socket: the check at the socket is a second one, not this one."""
    resolved = [(2, 1, 6, "", (address, 80)) for address in answers]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_: resolved)
    resolver = GuardedResolver(AddressGuard())
    with pytest.raises(AddressRefused):
        await resolver.resolve("public.test", 80)
    await resolver.close()


async def test_an_address_is_checked_where_the_socket_is_made(site, monkeypatch):
    async def unchecked(self, host, port=0, family=0):
        return [
            {
                "hostname": host,
                "host": "127.0.0.1",
                "port": port,
                "family": 2,
                "proto": 0,
                "flags": 0,
            }
        ]

    monkeypatch.setattr(GuardedResolver, "resolve", unchecked)
    fetcher = HttpFetcher(Equipment(AddressGuard(), "crawlsite", 0.6))
    assert (await fetcher.fetch(f"http://any.test:{site.port}/")).failure == "address_refused"
    assert site.requests == []
    await fetcher.close()


async def test_a_proxy_in_the_environment_is_ignored(site, fetcher, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1/")
    site.page("/", PAGE)
    assert (await fetcher.fetch(site.url())).body == PAGE


async def test_a_served_web_is_reached_by_its_hosts_only(site):
    site.page("/crumb", PAGE)
    served = Served(frozenset({"bakery.demo.test"}), "127.0.0.1", site.port)
    fetcher = HttpFetcher(Equipment(AddressGuard(), "crawlsite", 0.6, served=served))
    answer = await fetcher.fetch("http://bakery.demo.test/crumb")
    assert (answer.body, answer.final_url) == (PAGE, "http://bakery.demo.test/crumb")
    assert site.requests[0].headers["host"] == "bakery.demo.test"
    for other in (
        "http://other.test/crumb",
        f"http://127.0.0.1:{site.port}/crumb",
        "http://bakery.demo.test:8080/crumb",
        "http://localhost/",
    ):
        assert (await fetcher.fetch(other)).failure == "dns", other
    assert len(site.requests) == 1
    await fetcher.close()


async def test_hosts_of_a_served_web_may_be_a_rule(site):
    site.page("/", PAGE)
    served = Served(lambda host: host.endswith(".demo.test"), "127.0.0.1", site.port)
    fetcher = HttpFetcher(Equipment(AddressGuard(), "crawlsite", 0.6, served=served))
    assert (await fetcher.fetch("http://any.demo.test/")).failure is None
    assert (await fetcher.fetch("http://demo.test/")).failure == "dns"
    await fetcher.close()


# Hostile and broken servers ---------------------------------------------------------------------


async def _dripping_body(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


async def _dripping_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for i in itertools.count():
        writer.write(f"X-{i}: y\r\n".encode())
        await writer.drain()
        await asyncio.sleep(0.05)


async def _endless_informing(writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.01)


async def _endless_empty_gzip(writer: asyncio.StreamWriter) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"
    writer.write(head)
    while True:
        writer.write(gzip.compress(b""))
        await writer.drain()
        await asyncio.sleep(0.01)


async def _silence(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3600)


@pytest.mark.parametrize(
    "script",
    [_dripping_body, _dripping_headers, _endless_informing, _endless_empty_gzip, _silence],
)
async def test_every_slow_server_ends_by_the_deadline(site, fetcher, script):
    site.scripts["/"] = script
    answer = await asyncio.wait_for(fetcher.fetch(site.url()), 300)
    assert answer.failure == "timeout"


async def test_redirects_share_one_deadline(site, fetcher):
    def slow(i: int):
        async def script(writer: asyncio.StreamWriter) -> None:
            await asyncio.sleep(0.35)
            head = f"HTTP/1.1 302 Found\r\nLocation: /{i + 1}\r\nContent-Length: 0\r\n\r\n"
            writer.write(head.encode())

        return script

    site.scripts |= {f"/{i}": slow(i) for i in range(6)}
    answer = await fetcher.fetch(site.url("/0"))
    assert answer.failure == "timeout"
    assert len(site.requests) < 5


async def test_a_blocked_event_loop_does_not_use_up_the_deadline(site, fetcher):
    async def late(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.3)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok")

    site.scripts["/"] = late
    fetch = asyncio.create_task(fetcher.fetch(site.url()))
    await asyncio.sleep(0.1)
    time.sleep(1.5)
    assert (await fetch).failure is None


@pytest.mark.parametrize(
    ("sent", "failure"),
    [
        (b"", "interrupted"),
        (b"not http at all\r\n\r\n", "protocol"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 500\r\n\r\nshort",
            "interrupted",
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: -5\r\n\r\nx", "protocol"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
            b"Transfer-Encoding: chunked\r\n\r\nzz\r\nx",
            "protocol",
        ),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000 + b"\r\n\r\n", "protocol"),
    ],
)
async def test_what_broke_off_is_distinguished_from_what_is_not_http(site, fetcher, sent, failure):
    site.raw("/", sent)
    answer = await fetcher.fetch(site.url())
    assert answer.failure == failure and "\n" not in answer.detail


async def test_a_reset_in_mid_body_is_an_interruption(site, fetcher):
    async def reset(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\nab")
        await writer.drain()
        writer.transport.abort()

    site.scripts["/"] = reset
    assert (await fetcher.fetch(site.url())).failure == "interrupted"


async def test_nobody_listening_is_a_connect_failure(fetcher, unused_tcp_port):
    assert (await fetcher.fetch(f"http://127.0.0.1:{unused_tcp_port}/")).failure == "connect"


async def test_a_name_without_an_address_is_a_dns_failure(fetcher, monkeypatch):
    def unknown(*_):
        raise OSError(-2, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", unknown)
    assert (await fetcher.fetch("http://nowhere.invalid/")).failure == "dns"


async def test_plain_http_where_tls_is_expected_is_a_tls_failure(site, fetcher):
    async def greeting(writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 welcome\r\n")

    async def greet(reader, writer):
        await reader.read(10)
        await greeting(writer)
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    assert (await fetcher.fetch(f"https://127.0.0.1:{port}/")).failure == "tls"
    server.close()


def _redirect_with_cookies(count: int) -> bytes:
    flood = "".join(f"Set-Cookie: c{i}={'v' * 50}\r\n" for i in range(count))
    head = f"HTTP/1.1 302 Found\r\n{flood}Location: /next\r\nContent-Length: 0\r\n\r\n"
    return head.encode()


async def test_cookies_of_a_redirect_end_with_its_fetch(site, fetcher):
    site.raw("/", _redirect_with_cookies(100))
    site.page("/next", PAGE)
    assert (await fetcher.fetch(site.url())).body == PAGE
    await fetcher.fetch(site.url("/next"))
    first, redirected, later = site.requests
    assert redirected.headers["cookie"].count("=") == MOST_COOKIES
    assert "cookie" not in first.headers and "cookie" not in later.headers


async def test_a_flood_of_cookies_is_a_protocol_failure(site, fetcher):
    site.raw("/", _redirect_with_cookies(20_000))
    assert (await fetcher.fetch(site.url())).failure == "protocol"


async def test_long_header_lines_are_read(site, fetcher):
    site.page("/", PAGE, Content_Security_Policy="x" * 30_000)
    assert len((await fetcher.fetch(site.url())).header("content-security-policy")) == 30_000


async def test_headers_in_any_bytes_are_text(site, fetcher):
    site.page("/", PAGE, X_Latin="caf\xe9", X_Utf8="caf\xc3\xa9")
    answer = await fetcher.fetch(site.url())
    assert answer.header("X-Latin") == answer.header("X-Utf8") == "café"


@pytest.mark.parametrize(
    ("status", "value", "low", "high"),
    [
        (429, "120", 120, 120),
        (503, "0", 0, 0),
        (429, formatdate(0), 0, 0),
        (429, "99999999999999", 999_999_999, 999_999_999),
    ],
)
async def test_it_reads_retry_after(site, fetcher, status, value, low, high):
    site.page("/", b"wait", status, Retry_After=value)
    assert low <= (await fetcher.fetch(site.url())).retry_after <= high


async def test_it_reads_retry_after_as_a_date(site, fetcher):
    site.page("/", b"wait", 503, Retry_After=formatdate(time.time() + 9000))
    assert 8000 <= (await fetcher.fetch(site.url())).retry_after <= 9001


@pytest.mark.parametrize(("status", "value"), [(429, "soon"), (503, ""), (404, "5"), (200, "5")])
async def test_it_ignores_retry_after_elsewhere(site, fetcher, status, value):
    site.page("/", b"wait", status, Retry_After=value)
    assert (await fetcher.fetch(site.url())).retry_after is None


@pytest.mark.parametrize(
    "url",
    [
        "http://",
        "http://[::1",
        "http://a b/",
        "http://" + "a" * 300 + ".test/",
        "http://xn--/",
        "gopher://x/",
        "",
        "http://127.0.0.1:99999/",
    ],
)
async def test_it_never_raises_for_a_bad_url(fetcher, url):
    assert (await fetcher.fetch(url)).failure is not None


async def test_it_fetches_many_at_once(site, fetcher):
    for i in range(150):
        site.page(f"/{i}", b"page %d" % i)
    answers = await asyncio.gather(*(fetcher.fetch(site.url(f"/{i}")) for i in range(150)))
    assert [answer.body for answer in answers] == [b"page %d" % i for i in range(150)]


async def test_a_cancelled_fetch_is_cancelled(site, fetcher):
    site.scripts["/"] = _silence
    fetch = asyncio.create_task(fetcher.fetch(site.url()))
    await asyncio.sleep(0.05)
    fetch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetch


@pytest.mark.parametrize(
    "path", ["/Hubble%27s_law", "/a%2fb;c?q=a%20b+c&d=%7e", "/x?q=%BA%E9'|[]", "/a//b?c"]
)
async def test_an_address_is_sent_as_it_is_spelled(site, fetcher, path):
    """A wiki's own spelling; yasserg/crawler4j#123, #374"""
    site.page(path, b"<p>words")
    answer = await fetcher.fetch(site.url("/key"), spelling=site.url(path))
    assert (answer.failure, answer.url, answer.final_url) == (None, *[site.url("/key")] * 2)
    assert [request.path for request in site.requests] == [path]


PDF = made.pdf([["Sourdough and rye"]])


@pytest.fixture
async def reader() -> AsyncIterator[HttpFetcher]:
    """A fetcher that takes documents too."""
    guard = AddressGuard(["127.0.0.1"])
    fetcher = HttpFetcher(Equipment(guard, "crawlsite/1.0", 5.0, 100_000, documents=True))
    yield fetcher
    await fetcher.close()


@pytest.mark.parametrize(
    "kind", ["application/pdf", "application/octet-stream", "", "application/x-download"]
)
async def test_a_document_is_known_by_its_bytes(site, reader, fetcher, kind):
    site.page("/a", PDF, Content_Type=kind)
    answer = await reader.fetch(site.url("/a"))
    assert (answer.failure, answer.body) == (None, PDF)
    assert (await fetcher.fetch(site.url("/a"))).failure == "not_text", "not asked for"


@pytest.mark.parametrize(
    ("kind", "body", "failure"),
    [
        ("application/pdf", b"<html>Sign in first", "broken_document"),
        ("application/octet-stream", b"\x7fELF and more", "not_text"),
        ("application/zip", b"PK\x03\x04" + bytes(26) + b"photo.jpg", "not_text"),
        ("image/png", PDF, "not_text"),
        (OFFICE, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more", "encrypted"),
    ],
)
async def test_what_is_not_a_document_has_a_reason(site, reader, kind, body, failure):
    site.page("/a", body, Content_Type=kind)
    assert (await reader.fetch(site.url("/a"))).failure == failure


async def test_a_document_that_comes_byte_by_byte_is_one(site, reader):
    async def script(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n")
        for index in range(20):
            writer.write(PDF[index : index + 1])
            await writer.drain()
        writer.write(PDF[20:])

    site.scripts["/a"] = script
    answer = await reader.fetch(site.url("/a"))
    assert (answer.failure, answer.body) == (None, PDF)


async def test_a_document_beyond_the_limit_is_not_read(site, reader, monkeypatch):
    monkeypatch.setattr(exchange, "MAX_DOCUMENT", 1_000_000)
    typed = b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n"
    site.raw("/declared", typed + b"Content-Length: 30000000\r\n\r\n%PDF-")
    answer = await reader.fetch(site.url("/declared"))
    assert (answer.failure, answer.body) == ("too_large", b"")
    assert answer.detail.startswith("29 MiB")
    site.raw("/endless", typed + b"\r\n" + PDF + bytes(2_000_000))
    answer = await reader.fetch(site.url("/endless"))
    assert (answer.failure, answer.body) == ("too_large", b"")


async def test_a_page_without_a_type_is_cut_as_before(site, reader):
    site.page("/a", b"<p>words " * 20_000, Content_Type="")
    answer = await reader.fetch(site.url("/a"))
    assert (answer.failure, len(answer.body), answer.truncated) == (None, 100_000, True)
