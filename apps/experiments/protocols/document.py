"""docs/reproduction.md, written of saved results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from apps.experiments.markdown import table
from apps.experiments.protocols.catalogue import crawlers_of, quantities
from apps.experiments.protocols.claims import Finding, Verdict, whole_verdict
from apps.experiments.protocols.result import Mean, ProtocolResult
from apps.experiments.protocols.schema import Claim, PaperProtocol
from apps.experiments.protocols.words import (
    compared_words,
    found_words,
    mean_words,
    tested_words,
    verdict_words,
)
from apps.experiments.reproduce.observed import Quantity, number_of_cases
from apps.figures.quantities import NOTHING
from apps.schemas.input import Refused

PAPERS = {
    "LC": "LC: link contexts in classifier-guided crawlers",
    "AFC": "AFC: accelerated focused crawling",
    "SLC": "SLC: selectively using link-context",
    "HCLA": "HCLA: combining text and link analysis",
    "SL": "SL: status locality on the Web",
}
INTRODUCTION = """\
# What reproduces

This page is generated: the claims and protocols stand in `apps/experiments/protocols/papers/`, what
was found in `docs/reproduction/`. To run one again, and to write the page of all saved results:

```
manage.py import_web NAME FILE
manage.py reproduce PROTOCOL --web NAME --save docs/reproduction
manage.py reproduce --write docs/reproduction.md --from docs/reproduction
```

An experiment makes topics of a web's labels, as the papers made them of a directory's categories.
In a fresh data folder a run gives the same figures each time, times apart. The papers crawled the
live Web of their years, with more and longer crawls; what differs is said at each protocol.

**Ours** is the mean over topics (in tables: universities and the like), with its 95 % interval by
Student's t. *p* is two-tailed and paired, corrected by Holm for all comparisons of a run.

- **reproduced**: a difference is significant at 0.05 in the claimed direction; the interval of what
  is claimed to be equal lies within a margin that the protocol fixes; a figure is within such a
  margin of the paper's.
- **contradicted**: a significant difference in the other direction, or where none is claimed; a
  figure outside the margin whose interval leaves out the paper's.
- **not shown**: neither, with the number of topics at which a difference of the size seen would
  probably be significant. This is no evidence against a claim.
- **cannot be tested here**, and why.

A test needs six topics, in a table three cases."""
WEBS = {
    "wikispeedia": "articles of a small encyclopaedia as titles and links, without their text",
    "cora": "papers as seven words of their title, authors and citations, with pages of authors",
    "webkb": "the pages of computer science departments, as they were in 1997",
    "debdocs": "manuals of free software; 98 % of links stay on the topic",
}
"""The webs of the saved results, by the first word of their names."""
Results = Sequence[ProtocolResult]


def write_document(
    protocols: Mapping[str, PaperProtocol], results: Iterable[ProtocolResult]
) -> str:
    """The whole document. Raises Refused for a result that lacks a claim of its protocol, or whose
    protocol is gone."""
    found = {id: [] for id in sorted(protocols, key=lambda id: _order(protocols[id]))}
    for result in results:
        if result.protocol not in found:
            raise Refused("from", f"There is no protocol {result.protocol} any more: delete its"
                          " results.")
        _check(protocols[result.protocol], result)
        found[result.protocol].append(result)
    blocks = [INTRODUCTION, *_webs(found), "## In short", _summary(protocols, found)]
    for paper, ids in groupby(found, key=lambda id: protocols[id].paper):
        blocks.append(f"## {PAPERS[paper]}")
        for id in ids:
            blocks.extend(_section(id, protocols[id], found[id]))
    return "\n\n".join(blocks) + "\n"


def _order(protocol: PaperProtocol) -> tuple[int, int, str]:
    """By paper, then by the number of the figure or table."""
    number = re.search(r"(?:Fig\.|Table) (\d+)", protocol.where)
    return [*PAPERS].index(protocol.paper), int(number[1]) if number else 0, protocol.where


def _check(protocol: PaperProtocol, result: ProtocolResult) -> None:
    there = {finding.claim for finding in result.findings}
    wanted = {claim.id for claim in protocol.claims}
    if there != wanted:
        raise Refused("from", f"The result of {result.protocol} on {result.web} is about other"
                      f" claims ({', '.join(sorted(there ^ wanted))}): run it again.")


def _webs(found: Mapping[str, Results]) -> Iterator[str]:
    """What the webs of the results are, as far as they are known."""
    names = {result.web.partition(".")[0] for results in found.values() for result in results}
    known = [f"- {name}: {words}" for name, words in WEBS.items() if name in names]
    if known:
        yield "\n".join(["The webs:", "", *known])


def _summary(
    protocols: Mapping[str, PaperProtocol], found: Mapping[str, Results]
) -> str:
    """How many claims of each protocol had which verdict, each counted once a web."""
    rows = []
    for id, results in found.items():
        protocol = protocols[id]
        verdicts = Counter(
            whole_verdict(_of_claim(result, claim)) for result in results
            for claim in protocol.claims if not claim.cannot)
        verdicts[Verdict.CANNOT] += sum(bool(claim.cannot) for claim in protocol.claims)
        webs = ", ".join(result.web for result in results) or "not run"
        counts = [str(verdicts[verdict] or NOTHING) for verdict in Verdict]
        rows.append([f"{protocol.paper}: {protocol.title}", protocol.where, webs, *counts])
    note = "Claims by verdict. A claim is counted once for each web it was tested on."
    head = ["protocol", "of the paper", "webs", *(verdict.value for verdict in Verdict)]
    return f"{note}\n\n{table(head, rows)}"


def _section(id: str, protocol: PaperProtocol, results: Results) -> Iterator[str]:
    yield f"### {protocol.title} ({protocol.where})"
    yield protocol.method.strip()
    if results:
        yield "```\n" + "\n".join(result.settings["command"] for result in results) + "\n```"
        yield _sizes(results)
        yield _means(protocol, results)
    yield from _claims(protocol, results)
    if protocol.notes:
        yield "\n".join(f"- {note}" for note in protocol.notes)


def _sizes(results: Results) -> str:
    """What each run was over."""
    said = (f"{result.web}: {number_of_cases(result.cases, result.case)}{_theta(result)}"
            for result in results)
    return f"{'; '.join(said)}. Mean ± half of its 95 % interval:"


def _theta(result: ProtocolResult) -> str:
    theta = result.settings.get("theta")
    return "" if theta is None else f", θ {theta}"


def _means(protocol: PaperProtocol, results: Results) -> str:
    """A row for each crawler, a column for each quantity and web."""
    known = quantities(protocol)
    columns = [(known[name], result, {mean.crawler: mean for mean in means})
               for name in dict.fromkeys(name for result in results for name in result.means)
               for result in results if (means := result.means.get(name))]
    several = len(results) > 1
    head = ["", *(quantity.title + (f", {result.web}" if several else "")
                  for quantity, result, _ in columns)]
    rows = [[name, *(_mean(means.get(name), quantity) for quantity, _, means in columns)]
            for name in crawlers_of(protocol)]
    return table(head, [row for row in rows if any(cell != NOTHING for cell in row[1:])])


def _mean(mean: Mean | None, quantity: Quantity) -> str:
    return NOTHING if mean is None else mean_words(mean, quantity)


def _claims(protocol: PaperProtocol, results: Results) -> Iterator[str]:
    """The claims that were tested as a table, and those that cannot be as a list."""
    tested = [claim for claim in protocol.claims if not claim.cannot]
    if tested and results:
        head = ["claim", "compared", *(result.web for result in results)]
        yield table(head, [row for claim in tested for row in _rows(claim, protocol, results)])
    cannot = [f"- {_said(claim)}: {claim.cannot}" for claim in protocol.claims if claim.cannot]
    if cannot:
        yield "\n".join(["Cannot be tested here:", "", *cannot])


def _said(claim: Claim) -> str:
    return f"{claim.says} ({claim.where}; the paper: {claim.published})"


def _rows(claim: Claim, protocol: PaperProtocol, results: Results) -> Iterator[list[str]]:
    """A row for each comparison of a claim, a column for each web."""
    known = quantities(protocol)
    columns = [(result, _of_claim(result, claim)) for result in results]
    for place, finding in enumerate(columns[0][1]):
        quantity = known[finding.measure]
        cells = [_cell(found[place], quantity, claim, result.case) for result, found in columns]
        first = "" if place else _said(claim)
        yield [first, compared_words(finding, quantity, claim), *cells]


def _cell(finding: Finding, quantity: Quantity, claim: Claim, case: str) -> str:
    verdict = verdict_words(finding, case)
    word = finding.verdict.value
    shown = f"**{word}**{verdict.removeprefix(word)}"
    if finding.value is None:
        return shown
    ours = found_words(finding, quantity, claim.relative)
    return f"{ours}{tested_words(finding)}: {shown}"


def _of_claim(result: ProtocolResult, claim: Claim) -> list[Finding]:
    return [finding for finding in result.findings if finding.claim == claim.id]
