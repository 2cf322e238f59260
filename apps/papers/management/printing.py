"""Prints the observations of a protocol's run to stdout."""

from __future__ import annotations

from collections.abc import Iterator

from apps.papers.catalogue import quantities
from apps.papers.claims import Finding
from apps.papers.result import ProtocolResult
from apps.papers.schema import Claim, PaperProtocol
from apps.papers.words import (
    compared_words,
    mean_words,
    one_tailed_words,
    tested_words,
    value_words,
    verdict_words,
)


def protocol_text(protocol: PaperProtocol, result: ProtocolResult) -> str:
    """The means of a protocol's crawlers, then its claims with their findings."""
    return "\n".join([*_means(protocol, result), *_claims(protocol, result)])


def _means(protocol: PaperProtocol, result: ProtocolResult) -> Iterator[str]:
    observed = quantities(protocol)
    for name, means in result.means.items():
        yield f"{observed[name].title}, mean ± half of its 95 % interval"
        yield from (f"  {mean.crawler:40} {mean_words(mean, observed[name])}" for mean in means)
        yield ""


def _claims(protocol: PaperProtocol, result: ProtocolResult) -> Iterator[str]:
    observed = quantities(protocol)
    for claim in protocol.claims:
        yield f"{claim.sentence} ({claim.where}; the paper: {claim.published})"
        for finding in (each for each in result.findings if each.claim == claim.id):
            ours = ""
            if finding.value is not None:
                quantity = observed[finding.measure]
                compared = compared_words(finding, quantity, claim)
                ours = (
                    f"{compared}: {value_words(finding, quantity, claim.relative)}"
                    f"{tested_words(finding)}{_one_tailed(finding, claim)}: "
                )
            yield f"  {ours}{verdict_words(finding, claim, result.case)}"


def _one_tailed(finding: Finding, claim: Claim) -> str:
    words = one_tailed_words(finding, claim)
    return f", one-tailed p {words}" if words else ""
