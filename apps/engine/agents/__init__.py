"""Agents: processes that fetch and read pages for a crawl, so that it uses more than one core.

coordinator (the crawl's own process)              agent (`process.py`, `lent_agent.py`)
    ─────────────────────────────────────              ──────────────────────────────────
    frontier, politeness, robots.txt, redirects  ─ 1 ▶ one request, through the address guard
    judging, learning, scoring, rows, page store ◀ 2 ─ the answer; a page is parsed and packed,
                                                   its words are numbered (`wording.py`,
                                                   not between machines)

`Agents` (`agents.py`) is the exchange of the crawl's fetcher: it hands each request (1) to the
agent of its host and takes the answer with that request's number (2). An agent keeps nothing that
must survive. If one is lost or does not answer, the coordinator sends its unanswered requests
itself, after the delay of their hosts, and starts another agent. It sends all requests itself while
agents start, which they do when two requests are first under way at once, and later some of them
while its agents are busier than it is (`balance.py`). An answer that comes too late has a
number that is no longer under way.

An `AgentChannel` (`channel.py`) carries tasks and replies: `PipeChannel` to a process of this
machine, `StreamChannel` to the agents of other machines, which take from a stream in Redis as much
as they have room for. `broker.py` describes how they meet, and why none of them sends a request
after it was given out again. Those of this machine come first. robots.txt is always fetched from
here, and what a lent agent cannot reach is tried from here too.

The coordinator alone decides what is requested and when: the turn of a host, robots.txt, the scope
and the fetched pages are checked before each hop is handed out. So agents change neither the order
of a crawl with one request in flight nor the limits of any.
"""
