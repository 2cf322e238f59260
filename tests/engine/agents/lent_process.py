"""An agent in a process of its own, as on another machine: `lent_process.py URL NAME ROOM`."""

from __future__ import annotations

import asyncio
import logging
import sys

from apps.engine.agents.broker import AgentBroker, AgentHeartbeat
from apps.engine.agents.lent_agent import LentAgent
from apps.engine.networking.address_guard import AddressGuard

KEY, CODE = b"a key of the tests", "code 1"


def broker_at(url: str, code: str = CODE, key: bytes = KEY) -> AgentBroker:
    return AgentBroker(url, "tests", key, code)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    url, name, room = sys.argv[1:]
    word = AgentHeartbeat(machine="elsewhere", room=int(room))
    agent = LentAgent(broker_at(url), name, word, AddressGuard(), lambda: False)
    asyncio.run(agent.serve())
