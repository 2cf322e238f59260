"""docs/reproduction.md, written of saved results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from apps.figures.quantities import NOTHING
from apps.papers.catalogue import crawlers_of, order_of, quantities
from apps.papers.claims import ClaimVerdict, Finding, whole_verdict
from apps.papers.papers import PAPERS
from apps.papers.result import CrawlerMean, ProtocolResult
from apps.papers.schema import Claim, PaperProtocol
from apps.papers.tables.observed import Quantity, number_of_cases
from apps.papers.words import (
    compared_words,
    mean_words,
    one_tailed_words,
    tested_words,
    value_words,
    verdict_words,
)
from apps.research.markdown import render, table
from apps.schemas.refused import Refused

DESCRIBED = frozenset({"wikispeedia", "cora", "webkb", "debdocs", "demo"})
"""The webs that the page describes, by the first word of their names."""
Results = Sequence[ProtocolResult]
NOT_RUN = "not run since the claim was added"
EMPTY = [NOT_RUN, NOTHING]


def write_document(
    protocols: Mapping[str, PaperProtocol], results: Iterable[ProtocolResult]
) -> str:
    """The whole document. Raises Refused for a result that lacks a claim of its protocol, or whose
    protocol is gone."""
    by_protocol: dict[str, list[ProtocolResult]] = {
        id: [] for id in sorted(protocols, key=lambda id: order_of(protocols[id]))
    }
    for result in results:
        if result.protocol not in by_protocol:
            raise Refused(
                "from", f"There is no protocol {result.protocol} any more: delete its results."
            )
        _check(protocols[result.protocol], result)
        by_protocol[result.protocol].append(result)
    names = {result.web.partition(".")[0] for runs in by_protocol.values() for result in runs}
    webs = {"demo" if re.fullmatch(r"demo-\d+", name) else name for name in names}
    return render(
        "reproduction.md",
        webs=webs,
        described=bool(webs & DESCRIBED),
        summary=_summary(protocols, by_protocol),
        papers=[
            {
                "id": paper,
                "title": PAPERS[paper].title,
                "protocols": [_section(protocols[id], by_protocol[id]) for id in ids],
            }
            for paper, ids in groupby(by_protocol, key=lambda id: protocols[id].paper)
        ],
    )


def _check(protocol: PaperProtocol, result: ProtocolResult) -> None:
    """Refuses a result about a claim that the protocol no longer has; one that it has since is not
    run."""
    gone = {finding.claim for finding in result.findings} - {c.id for c in protocol.claims}
    if gone:
        raise Refused(
            "from",
            f"The result of {result.protocol} on {result.web} is about other"
            f" claims ({', '.join(sorted(gone))}): run it again.",
        )


def _summary(protocols: Mapping[str, PaperProtocol], runs: Mapping[str, Results]) -> str:
    """How many claims of each protocol had which verdict, each counted once a web."""
    rows = []
    for id, results in runs.items():
        protocol = protocols[id]
        verdicts = Counter(
            whole_verdict(_of_claim(result, claim))
            for result in results
            for claim in protocol.claims
            if not claim.cannot and _of_claim(result, claim)
        )
        verdicts[ClaimVerdict.CANNOT] += sum(bool(claim.cannot) for claim in protocol.claims)
        webs = ", ".join(result.web for result in results) or "not run"
        counts = [str(verdicts[verdict] or NOTHING) for verdict in ClaimVerdict]
        rows.append([f"{protocol.paper}: {protocol.title}", protocol.where, webs, *counts])
    head = ["protocol", "of the paper", "webs", *(verdict.value for verdict in ClaimVerdict)]
    return table(head, rows)


def _section(protocol: PaperProtocol, results: Results) -> Mapping[str, Any]:
    return {
        "title": protocol.title,
        "where": protocol.where,
        "method": protocol.method.strip(),
        "runs": [_run(result) for result in results],
        "means": _means(protocol, results),
        "claims": _claims(protocol, results),
        "untested": [
            f"{_title(claim)}: {claim.cannot}" for claim in protocol.claims if claim.cannot
        ],
        "notes": protocol.notes,
    }


def _run(result: ProtocolResult) -> Mapping[str, Any]:
    return {
        "command": result.settings["command"],
        "web": result.web,
        "cases": number_of_cases(result.cases, result.case),
        "theta": result.settings.get("theta"),
    }


def _means(protocol: PaperProtocol, results: Results) -> str:
    """A row for each crawler, a column for each quantity and web."""
    by_id = quantities(protocol)
    columns = [
        (by_id[name], result, {mean.crawler: mean for mean in means})
        for name in dict.fromkeys(name for result in results for name in result.means)
        for result in results
        if (means := result.means.get(name))
    ]
    several = len(results) > 1
    head = [
        "",
        *(
            quantity.title + (f", {result.web}" if several else "")
            for quantity, result, _ in columns
        ),
    ]
    rows = [
        [name, *(_mean(means.get(name), quantity) for quantity, _, means in columns)]
        for name in crawlers_of(protocol)
    ]
    return table(head, [row for row in rows if any(cell != NOTHING for cell in row[1:])])


def _mean(mean: CrawlerMean | None, quantity: Quantity) -> str:
    return NOTHING if mean is None else mean_words(mean, quantity)


def _claims(protocol: PaperProtocol, results: Results) -> str:
    """The claims that were tested as a table; nothing without any."""
    tested = [claim for claim in protocol.claims if not claim.cannot]
    if not tested or not results:
        return ""
    head = ["claim", "compared"]
    for result in results:
        head += [result.web, "one-tailed p"]
    return table(head, [row for claim in tested for row in _rows(claim, protocol, results)])


def _title(claim: Claim) -> str:
    return f"{claim.sentence} ({claim.where}; the paper: {claim.published})"


def _rows(claim: Claim, protocol: PaperProtocol, results: Results) -> Iterator[list[str]]:
    """A row for each comparison of a claim, two columns for each web."""
    by_id = quantities(protocol)
    columns = [(result, _of_claim(result, claim)) for result in results]
    first = next((findings for _, findings in columns if findings), [])
    if not first:
        yield [_title(claim), "", *[NOT_RUN, NOTHING] * len(results)]
    for number, finding in enumerate(first):
        quantity = by_id[finding.measure]
        cells = []
        for result, findings in columns:
            cells += _cells(findings[number], quantity, claim, result.case) if findings else EMPTY
        title = "" if number else _title(claim)
        yield [title, compared_words(finding, quantity, claim), *cells]


def _cells(finding: Finding, quantity: Quantity, claim: Claim, case: str) -> list[str]:
    """The measured values with the verdict, and p of the paper's own test."""
    verdict = verdict_words(finding, claim, case)
    word = finding.verdict.value
    shown = f"**{word}**{verdict.removeprefix(word)}"
    if finding.value is None:
        return [shown, NOTHING]
    ours = value_words(finding, quantity, claim.relative)
    own = one_tailed_words(finding, claim) or NOTHING
    return [f"{ours}{tested_words(finding)}: {shown}", own]


def _of_claim(result: ProtocolResult, claim: Claim) -> list[Finding]:
    return [finding for finding in result.findings if finding.claim == claim.id]
