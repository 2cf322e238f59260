"""SourceRequest engine and web archive, on loopback: what is asked, and what their refusals say."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from apps.begin import drafts
from apps.begin.drafts import Typed
from apps.begin.sources import searxng, web_archive
from apps.begin.sources.endpoint import EndpointProblem
from apps.begin.sources.searxng import SEARXNG
from apps.begin.sources.source import SourceRequest


class Endpoint:
    """A server that answers each request alike and notes its query."""

    def __init__(self) -> None:
        self.status, self.body, self.headers = 200, b"{}", {}
        self.asked: list[dict[str, list[str]]] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                endpoint.asked.append(parse_qs(urlsplit(self.path).query))
                self.send_response(endpoint.status)
                for name, value in endpoint.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(endpoint.body)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def endpoint(settings) -> Iterator[Endpoint]:
    made = Endpoint()
    settings.SEARCH_ENGINE = made.address
    settings.WEB_ARCHIVE = f"{made.address}/cdx"
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_results_are_asked_for_as_json(endpoint: Endpoint) -> None:
    endpoint.body = json.dumps(
        {"results": [{"url": "https://a.example/"}, {"title": "b"}]}
    ).encode()
    assert searxng.results("rye bread") == ["https://a.example/"]
    assert endpoint.asked == [{"q": ["rye bread"], "format": ["json"]}]


def test_a_refusal_of_json_names_the_setting_to_change(endpoint: Endpoint) -> None:
    endpoint.status = 403
    with pytest.raises(EndpointProblem, match=r"add json to search\.formats in its settings\.yml"):
        searxng.results("rye")


def test_redirects_are_not_followed(endpoint: Endpoint) -> None:
    endpoint.status, endpoint.headers = 302, {"Location": f"{endpoint.address}/elsewhere"}
    with pytest.raises(EndpointProblem, match=r"redirects to .*CRAWLSITE_SEARCH_ENGINE"):
        searxng.results("rye")
    assert len(endpoint.asked) == 1


def test_an_answer_that_is_not_json_is_a_sentence(endpoint: Endpoint) -> None:
    endpoint.body = b"<html>"
    with pytest.raises(EndpointProblem, match="other than JSON"):
        searxng.results("rye")


def test_the_archive_is_asked_for_addresses_with_the_words(endpoint: Endpoint) -> None:
    endpoint.body = json.dumps([["original"], ["http://a.example/rye-bread"]]).encode()
    assert web_archive.addresses("a.example", ["rye"], 0) == ["http://a.example/rye-bread"]
    assert endpoint.asked[0]["url"] == ["a.example"]
    assert endpoint.asked[0]["filter"] == ["original:(?i).*(rye).*"]


@pytest.mark.django_db
def test_each_query_is_in_the_journal_and_sent_once(endpoint: Endpoint, owner) -> None:
    endpoint.body = json.dumps({"results": [{"url": "https://a.example/"}]}).encode()
    draft = drafts.write_draft(owner, Typed(words=("rye",)))
    for _ in range(2):
        list(SEARXNG.ask(SourceRequest(draft, ("rye",), ("rye",), lambda: True)))
    assert len(endpoint.asked) == 1
    note = draft.queries.get()
    assert (note.asked, note.address, note.answers) == ("rye", endpoint.address, 1)


@pytest.mark.django_db
def test_a_failed_query_is_noted_with_its_problem_and_sent_again(endpoint, owner) -> None:
    endpoint.status = 403
    draft = drafts.write_draft(owner, Typed(words=("rye",)))
    for _ in range(2):
        assert list(SEARXNG.ask(SourceRequest(draft, ("rye",), ("rye",), lambda: True))) == []
    assert len(endpoint.asked) == 2
    assert "settings.yml" in draft.queries.get().problem
