"""A site of ten pages on loopback, of which most are named only by its sitemaps and feeds; its log
has every request."""

from __future__ import annotations

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.made_web import BREAD

XML, HTML = "application/xml", "text/html; charset=utf-8"


class ListingSite:
    """Served while it is open. `log` has the paths asked for, in order."""

    def __init__(self) -> None:
        site = self
        self.log: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.log.append(self.path)
                kind, body = site.answers().get(self.path, ("", b""))
                self.send_response(200 if kind else 404)
                self.send_header("Content-Type", kind or HTML)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> ListingSite:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answers(self) -> dict[str, tuple[str, bytes]]:
        """Content type and body by path."""
        at = self.origin
        pages = ("sitemap-1", "sitemap-2", "text-1", "feed-1", "atom-1", "json-1")
        urls = "".join(
            f"<url><loc>{at}/{name}</loc><lastmod>2026-03-0{i + 1}</lastmod></url>"
            for i, name in enumerate(pages[:2])
        )
        item = f"<item><title>Rye bread</title><link>{at}/feed-1</link></item>"
        feeds = "".join(
            f'<link rel="alternate" type="application/{kind}" href="/{name}">'
            for kind, name in (("rss+xml", "rss"), ("atom+xml", "atom"), ("feed+json", "json"))
        )
        start = f"<title>Start</title>{feeds}{' '.join(BREAD)} <a href=/linked>bread</a>"
        index = "".join(f"<sitemap><loc>{at}/{n}</loc></sitemap>" for n in ("a.xml.gz", "b.txt"))
        return {
            "/robots.txt": ("text/plain", f"Sitemap: {at}/index.xml\n".encode()),
            "/": (HTML, start.encode()),
            "/index.xml": (XML, f"<sitemapindex>{index}</sitemapindex>".encode()),
            "/a.xml.gz": ("application/gzip", gzip.compress(f"<urlset>{urls}</urlset>".encode())),
            "/b.txt": ("text/plain", f"{at}/text-1\n".encode()),
            "/rss": ("application/rss+xml", f"<rss><channel>{item}</channel></rss>".encode()),
            "/atom": (
                "application/atom+xml",
                b"<feed><entry><title>Dough</title><link href='/atom-1'/></entry></feed>",
            ),
            "/json": (
                "application/feed+json",
                b'{"version": "https://jsonfeed.org/version/1", "items": [{"url": "%s/json-1"}]}'
                % at.encode(),
            ),
            **{
                f"/{name}": (HTML, f"<title>{name}</title>{' '.join(BREAD)} {name}".encode())
                for name in ("linked", *pages)
            },
        }
