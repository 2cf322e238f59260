"""A mail server on this machine that refuses as often as it is asked to and then takes mail."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class MailSink(socketserver.ThreadingTCPServer):
    """`refusals` are answered to recipients in turn, one a mail; what it takes is in `taken`."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, refusals: list[str]) -> None:
        super().__init__(("127.0.0.1", 0), _MailTalk)
        self.refusals = refusals
        self.taken: list[str] = []


class _MailTalk(socketserver.StreamRequestHandler):
    server: MailSink

    def handle(self) -> None:
        self._answer("220 sink.test")
        for line in self.rfile:
            word = line.decode().split()[0].upper()
            if word == "RCPT" and self.server.refusals:
                self._answer(self.server.refusals.pop(0))
            elif word == "DATA":
                self._answer("354 go on")
                self._take()
            elif word == "QUIT":
                self._answer("221 bye")
                return
            else:
                self._answer("250 ok")

    def _take(self) -> None:
        lines: list[str] = []
        for line in self.rfile:
            if line.rstrip() == b".":
                break
            lines.append(line.decode())
        self.server.taken.append("".join(lines))
        self._answer("250 taken")

    def _answer(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


@contextmanager
def mail_sink(*refusals: str) -> Iterator[MailSink]:
    """A mail server that is there as long as the block."""
    with MailSink(list(refusals)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
