"""What is written in Redis: seals that name their session, and entries that may be malformed."""

from __future__ import annotations

import pytest

from apps.engine.agents.broker import (
    AgentBroker,
    AgentHeartbeat,
    BadSeal,
    CoordinatorHeartbeat,
    Malformed,
    read_agents,
    read_heartbeats,
)
from apps.engine.agents.messages import Ready, Reply

PLACE = AgentBroker("redis://db.test", "tests", b"a key", "code 1")


def test_a_seal_opens_for_its_kind_session_key_and_code() -> None:
    sealed = PLACE.seal(Ready(1.0), "1.2")
    assert PLACE.unseal(sealed, Ready, "1.2") == Ready(1.0)
    for broker, kind, session in (
        (PLACE, Ready, "1.3"),
        (PLACE, Reply, "1.2"),
        (AgentBroker("", "", b"another", "code 1"), Ready, "1.2"),
        (AgentBroker("", "", b"a key", "code 2"), Ready, "1.2"),
    ):
        with pytest.raises(BadSeal):
            broker.unseal(sealed, kind, session)
    for data in (b"", b"x", sealed[:-1], sealed + b"x"):
        with pytest.raises(BadSeal):
            PLACE.unseal(data, Ready, "1.2")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "notjson",
        "[]",
        "null",
        '{"until": "soon"}',
        '{"until": NaN}',
        '{"until": 1e999}',
        '{"number": -1}',
        '{"number": 1.5}',
        '{"room": 1' + "0" * 5000 + "}",
        '{"state": "mad"}',
        '{"serves": ["x"]}',
        '{"serves": {}}',
        '{"rates": ["x"]}',
        '{"rates_by": {"1.1": "x"}}',
        '{"machine": "' + "x" * 300 + '"}',
        "[" * 100_000,
    ],
)
def test_a_malformed_word_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        AgentHeartbeat.read(text)


def test_a_word_comes_back_as_it_was_and_other_versions_may_have_more() -> None:
    word = AgentHeartbeat(12.5, 12.0, machine="mistral", serves=["3.1"], rates_by={"3.1": 2.5})
    assert AgentHeartbeat.read(word.text()) == word
    assert CoordinatorHeartbeat.read('{"until": 2, "new": 1}') == CoordinatorHeartbeat(2.0)


def test_malformed_entries_are_counted_and_the_others_read() -> None:
    entries = {b"a": AgentHeartbeat(number=3).text().encode(), b"evil": b"notjson", b"\xff": b"{}"}
    assert read_heartbeats(AgentHeartbeat, entries) == ({"a": AgentHeartbeat(number=3)}, 2)
    assert read_agents(entries) == {"a": AgentHeartbeat(number=3)}
