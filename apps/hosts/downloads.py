"""Downloads of a topic's hosts: the list as CSV, the network as GEXF."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import quoteattr

from django.db.models import QuerySet

from apps.hosts.models import HostSummary
from apps.hosts.network import host_network
from apps.topics.models import HostDecision, Topic

COLUMNS = (
    *(
        "name",
        "unit",
        "decision",
        "decided_by",
        "decided_at",
        "pages",
        "judged",
        "relevant",
        "harvest",
    ),
    *("linked_from", "language", "first_seen", "waiting"),
    *("near_duplicates", "template", "pattern", "pattern_share", "make_up"),
)
OF_MAKE_UP = ("near_duplicates", "template", "pattern", "pattern_share")
ATTRIBUTES = (
    ("decision", "string"),
    ("pages", "integer"),
    ("judged", "integer"),
    ("relevant", "integer"),
    ("harvest", "double"),
    ("linked_from", "integer"),
    ("waiting", "integer"),
    ("language", "string"),
    ("make_up", "string"),
)
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
    "<meta><creator>crawlsite</creator></meta>\n"
    '<graph defaultedgetype="directed">\n<attributes class="node">\n'
)


def cells(topic: Topic, rows: QuerySet[HostSummary]) -> Iterator[dict[str, object]]:
    """The cells of `COLUMNS` for each of these hosts; who decided is named where the decision
    bears the host's own name."""
    decided = {row.name: row for row in topic.host_decisions.select_related("by")}
    for row in rows.iterator(1_000):
        yield {name: _cell(row, decided.get(row.name), name) for name in COLUMNS}


def _cell(row: HostSummary, decision: HostDecision | None, name: str) -> Any:
    if name == "decided_by":
        return decision.by.get_username() if decision and decision.by else ""
    if name == "decided_at":
        return decision.at.isoformat(timespec="seconds") if decision else ""
    if name == "decision":
        return row.decision or "undecided"
    if name == "make_up":
        return make_up_words(row)
    if name == "harvest":
        return row.harvest_rate
    if name in OF_MAKE_UP:
        column = "alike_share" if name == "pattern_share" else name
        return getattr(getattr(row, "make_up", None), column, None)
    value = getattr(row, name)
    return value.isoformat(timespec="seconds") if name == "first_seen" and value else value


def make_up_words(row: HostSummary) -> str:
    """`near-duplicates; mostly template`: what stands out of a host's pages."""
    return "; ".join(row.flags)


def gexf(topic: Topic) -> Iterator[bytes]:
    """GEXF 1.2 (UTF-8): a node for every linked host with its counts and decision, an edge for the
    links from one to another, with their number as weight."""
    network = host_network(topic, None, None)
    yield _HEAD.encode()
    for index, (name, kind) in enumerate(ATTRIBUTES):
        yield f'<attribute id="{index}" title="{name}" type="{kind}"/>\n'.encode()
    yield b"</attributes>\n<nodes>\n"
    for host in network.nodes:
        yield _node(host).encode("utf-8", "replace")
    yield b"</nodes>\n<edges>\n"
    for number, (source, target, weight) in enumerate(network.edges):
        ends = f'source="{network.nodes[source].pk}" target="{network.nodes[target].pk}"'
        yield f'<edge id="{number}" {ends} weight="{weight}"/>\n'.encode()
    yield b"</edges>\n</graph>\n</gexf>\n"


def _node(host: HostSummary) -> str:
    attributes = "".join(
        f'<attvalue for="{index}" value={quoteattr(str(_attribute(host, name)))}/>'
        for index, (name, _) in enumerate(ATTRIBUTES)
        if _attribute(host, name) is not None
    )
    label = quoteattr(host.title)
    return f'<node id="{host.pk}" label={label}><attvalues>{attributes}</attvalues></node>\n'


def _attribute(host: HostSummary, name: str) -> Any:
    if name == "make_up":
        return make_up_words(host)
    if name == "harvest":
        return host.harvest_rate
    return (host.decision or "undecided") if name == "decision" else getattr(host, name)
