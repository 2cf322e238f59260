"""The adviser, a stub on loopback: what it is sent, what is read of its answer, and its limits."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from apps.begin import adviser, drafts, services
from apps.begin.drafts import BeginRefused, Typed
from apps.begin.models import Draft
from apps.begin.selectors import adviser_of
from apps.begin.sources.endpoint import EndpointProblem
from apps.begin.tasks import gather
from apps.jobs import queue
from tests.people import site_of

TYPED = Typed(sentence="Bread from rye. Not planets.", words=("dough",))
PROPOSALS = {
    "words": ["sourdough", "sourdough", 7],
    "rather_not": ["cake"],
    "queries": ["rye bread"],
}


class Stub:
    """Answers each question with `content`, and notes what it was sent."""

    def __init__(self) -> None:
        self.status, self.content = 200, f"Here it is: ```json\n{json.dumps(PROPOSALS)}\n```"
        self.sent: list[tuple[str, str, dict[str, Any]]] = []
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                key = self.headers.get("Authorization", "")
                stub.sent.append((self.path, key, json.loads(body)))
                self.send_response(stub.status)
                self.send_header("Location", "http://127.0.0.1:9/")
                self.end_headers()
                answer = {"choices": [{"message": {"content": stub.content}}]}
                self.wfile.write(json.dumps(answer).encode())

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def stub(settings) -> Iterator[Stub]:
    made = Stub()
    settings.ADVISER, settings.ADVISER_MODEL = made.address, "small"
    settings.ADVISER_KEY = "secret"
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def draft(owner, data_dir) -> Draft:
    return drafts.write_draft(owner, TYPED)


def asked(draft: Draft) -> Draft:
    services.ask_adviser(draft)
    queue.claim_here(draft)
    gather(draft)
    return draft


def test_it_gets_what_was_typed_and_proposes_words_that_count_once_taken(
    draft: Draft, stub: Stub
) -> None:
    state = adviser_of(asked(draft))
    assert state is not None and not state.is_asked and state.left == 4
    assert state.proposals == {
        "words": ["sourdough"],
        "rather_not": ["cake"],
        "queries": ["rye bread"],
    }
    path, key, body = stub.sent[0]
    assert (path, key) == ("/v1/chat/completions", "Bearer secret")
    assert body["model"] == "small" and body["max_tokens"] == 600
    question = body["messages"][1]["content"]
    assert question == draft.adviser_questions.get().sent
    assert "Bread from rye" in question and "Not: planets" in question
    draft.words = [*draft.words, "sourdough"]
    assert adviser_of(draft).proposals["words"] == []


def test_it_is_asked_five_times_at_most_and_only_if_named(
    draft: Draft, stub: Stub, settings
) -> None:
    for _ in range(adviser.MOST_ASKED):
        asked(draft)
    with pytest.raises(BeginRefused, match="answers 5 times"):
        services.ask_adviser(draft)
    settings.ADVISER = ""
    assert adviser_of(draft) is None
    with pytest.raises(BeginRefused, match="CRAWLSITE_ADVISER"):
        services.ask_adviser(draft)
    assert len(stub.sent) == adviser.MOST_ASKED


@pytest.mark.parametrize(
    ("status", "content", "words"),
    [
        (401, "", "CRAWLSITE_ADVISER_KEY"),
        (302, "", "which is not followed"),
        (200, "I would rather not.", "answered without proposals"),
        (200, "[1, 2]", "answered without proposals"),
    ],
)
def test_a_refusal_is_a_sentence(
    draft: Draft, stub: Stub, status: int, content: str, words: str
) -> None:
    stub.status, stub.content = status, content
    asked(draft)
    assert words in draft.adviser_questions.get().problem
    assert len(stub.sent) == 1


def test_an_answer_without_end_is_cut_off(stub: Stub, monkeypatch) -> None:
    monkeypatch.setattr("apps.begin.sources.endpoint.MOST_BYTES", 2_000)
    stub.content = "x" * 5_000
    with pytest.raises(EndpointProblem, match="answered with more than"):
        adviser.ask("Bread")


def test_long_texts_are_cut_before_they_are_sent(owner, data_dir) -> None:
    draft = drafts.write_draft(owner, Typed(sentence="rye " * 3_000))
    assert len(adviser.question_of(draft)) == adviser.MOST_SENT


def test_the_screen_shows_what_was_sent_and_takes_queries(draft: Draft, stub: Stub) -> None:
    client = site_of(draft.owner)
    pressed = client.post(f"/topics/new/{draft.pk}/adviser/").json()
    assert "Being asked…" in pressed["parts"]["understood"]
    queue.claim_here(draft)
    gather(draft)
    page = client.get(f"/topics/new/{draft.pk}/").json()["parts"]["understood"]
    assert 'data-take="sourdough"' in page and "What was sent" in page
    sent = {"draft": draft.pk, "description": TYPED.sentence, "phrases": "rye bread"}
    client.post("/topics/new/understand/", sent)
    draft.refresh_from_db()
    assert draft.phrases == ["rye bread"]
    saved = services.save_topic(draft)
    journal = client.get(f"/topics/{saved.topic.pk}/queries/").content.decode()
    assert "its words went nowhere" not in journal
    assert "Asked of the adviser" in journal and "Subject: Bread from rye" in journal
