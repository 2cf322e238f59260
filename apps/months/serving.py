"""Serves a changing web on loopback from a thread of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from apps.months.changing_web import ChangingWeb


@contextmanager
def serve(web: ChangingWeb) -> Iterator[int]:
    """The port on which the web answers, for all of its hosts."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            conditions = {name.lower(): value for name, value in self.headers.items()}
            host = (self.headers.get("Host") or "").partition(":")[0]
            reply = web.answer(host, self.path.partition("?")[0], conditions)
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            if reply.status != 304:
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: object) -> None:
            """The requests are counted, not written."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
