"""The papers with their protocols as the screen shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.template.loader import render_to_string

from apps.experiments.selectors import Speed, cost_at, speed_on
from apps.figures.quantities import roughly
from apps.papers.catalogue import design_of, in_order, protocols, quantities
from apps.papers.claims import ClaimVerdict, whole_verdict
from apps.papers.command_line import command_line
from apps.papers.models import PaperRun
from apps.papers.papers import PAPERS, Paper
from apps.papers.result import ProtocolResult
from apps.papers.schema import Claim, PaperProtocol
from apps.papers.setting_up import Sizes, sized
from apps.papers.suiting import Suits, suits
from apps.papers.words import (
    compared_words,
    one_tailed_words,
    tested_words,
    value_words,
    verdict_words,
)
from apps.screens.papers.filled_in import filled_in, scope_words
from apps.screens.papers.state import RunState, run_state
from apps.screens.stamps import Piece
from apps.webs.models import Web

GLYPHS = {
    ClaimVerdict.REPRODUCED: ("✓", "reproduced"),
    ClaimVerdict.CONTRADICTED: ("✕", "contradicted"),
    ClaimVerdict.NOT_SHOWN: ("○", "not-shown"),
    ClaimVerdict.CANNOT: ("–", "cannot"),
}


@dataclass(frozen=True, slots=True)
class BarPart:
    """A part of the bar of verdicts."""

    verdict: ClaimVerdict
    glyph: str
    style: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim with the verdict on each web, and what was measured there, comparison by
    comparison."""

    claim: Claim
    verdicts: Sequence[tuple[str, BarPart, Sequence[str]]]


@dataclass(frozen=True)
class ProtocolRow:
    """A protocol on the chosen web; `run` is its run there with the chosen sizes, `results` those
    that have ended, one for each web."""

    id: str
    protocol: PaperProtocol
    web: Web | None
    sizes: Sizes
    suits: Suits
    run: PaperRun | None
    results: Sequence[ProtocolResult]
    speed: Speed | None = None

    @property
    def scope(self) -> str:
        return scope_words(self.protocol, self.suits.topics, self.sizes.pages)

    @property
    def time(self) -> str:
        """`about 18 min`, by earlier cells on the web; nothing where there are none, and of a
        table."""
        if self.speed is None or not self.suits.topics or self.protocol.experiment is None:
            return ""
        plan = sized(self.protocol, self.sizes)
        topics = [str(number) for number in range(self.suits.topics)]
        design = design_of(plan, self.id, self.speed.web.name, topics)
        return f"about {roughly(cost_at(self.speed, design).seconds)}"

    @property
    def filled_in(self) -> Sequence[tuple[str, str]]:
        return filled_in(self.protocol, self.sizes)

    @property
    def method(self) -> Sequence[str]:
        """The method and its deviations from the paper, in paragraphs."""
        paragraphs = self.protocol.method.strip().split("\n\n")
        return [" ".join(paragraph.split()) for paragraph in paragraphs]

    @property
    def command(self) -> str:
        sizes = {"topics": self.sizes.topics, "pages": self.sizes.pages}
        return command_line(self.id, self.web.name if self.web else "WEB", sizes)

    @cached_property
    def state(self) -> RunState | None:
        return run_state(self.run) if self.run else None

    @property
    def verdicts(self) -> Sequence[BarPart]:
        """How often each verdict was reached, a claim once for each web."""
        counts = Counter(
            whole_verdict([each for each in result.findings if each.claim == claim.id])
            for result in self.results
            for claim in self.protocol.claims
            if claim.id in {finding.claim for finding in result.findings}
        )
        return list(_parts(counts))

    @property
    def claims(self) -> Iterator[ClaimRow]:
        for claim in self.protocol.claims:
            tested = [
                self._on_web(claim, result)
                for result in self.results
                if any(finding.claim == claim.id for finding in result.findings)
            ]
            yield ClaimRow(claim, tested)

    def _on_web(self, claim: Claim, result: ProtocolResult) -> tuple[str, BarPart, Sequence[str]]:
        by_id = quantities(self.protocol)
        findings = [each for each in result.findings if each.claim == claim.id]
        verdict = whole_verdict(findings)
        lines = []
        for finding in findings:
            words = verdict_words(finding, claim, result.case)
            quantity = by_id.get(finding.measure)
            if finding.value is not None and quantity is not None:
                compared = compared_words(finding, quantity, claim)
                value = value_words(finding, quantity, claim.relative)
                own = one_tailed_words(finding, claim)
                own = f", one-tailed p {own}" if own else ""
                words = f"{compared}: {value}{tested_words(finding)}{own}; {words}"
            lines.append(words)
        glyph, style = GLYPHS[verdict]
        return result.web, BarPart(verdict, glyph, style, 1, 1.0), lines

    def piece(self) -> Piece:
        """The piece of a row that changes while it is shown."""
        return Piece(f"state-{self.id}", render_to_string("papers/state.html", {"row": self}))


@dataclass(frozen=True, slots=True)
class PaperRows:
    """A paper and its protocols."""

    id: str
    paper: Paper
    rows: Sequence[ProtocolRow]

    @property
    def run_words(self) -> str:
        """`Run all 3`, `Run 1 of 2`: the protocols that the web suits and that are not begun there,
        or have failed; empty without one."""
        ready = sum(
            not row.suits.lacks and (row.state is None or row.state.again) for row in self.rows
        )
        if 0 < ready < len(self.rows):
            return f"Run {ready} of {len(self.rows)}"
        return f"Run all {ready}" if ready > 1 else "Run it" * ready


def paper_rows(runs: Iterable[PaperRun], web: Web | None, sizes: Sizes) -> list[PaperRows]:
    """Every paper with its protocols on a web; `runs` are those of the person, newest first."""
    mine, speed = list(runs), speed_on(web) if web else None
    rows = [protocol_row(id, mine, web, sizes, speed) for id in in_order()]
    return [
        PaperRows(id, paper, [row for row in rows if row.protocol.paper == id])
        for id, paper in PAPERS.items()
    ]


def protocol_row(
    id: str,
    runs: Iterable[PaperRun],
    web: Web | None,
    sizes: Sizes,
    speed: Speed | None = None,
) -> ProtocolRow:
    """One protocol on a web, with what it takes at a speed there."""
    protocol = protocols()[id]
    mine = [run for run in runs if run.protocol == id]
    asked = (web.pk if web else None, sizes.topics or 0, sizes.pages or 0)
    run = next((run for run in mine if (run.web_id, run.topics, run.pages) == asked), None)
    has = suits(protocol, web, sizes) if web else Suits(lacks="No recorded web yet.")
    return ProtocolRow(id, protocol, web, sizes, has, run, list(_newest(mine, protocol)), speed)


def legend(papers: Iterable[PaperRows]) -> Sequence[BarPart]:
    """The verdicts of all protocols together."""
    counts: Counter[ClaimVerdict] = Counter()
    for paper in papers:
        for row in paper.rows:
            counts.update({part.verdict: part.count for part in row.verdicts})
    return [
        BarPart(verdict, glyph, style, counts[verdict], 0.0)
        for verdict, (glyph, style) in GLYPHS.items()
    ]


def _newest(runs: Iterable[PaperRun], protocol: PaperProtocol) -> Iterator[ProtocolResult]:
    """The newest result on each web that is about the protocol's claims."""
    claims, seen = {claim.id for claim in protocol.claims}, set()
    for run in runs:
        if run.ended_at is None or run.web_id in seen:
            continue
        result = ProtocolResult.read(run.result)
        if {finding.claim for finding in result.findings} <= claims:
            seen.add(run.web_id)
            yield result


def _parts(counts: Mapping[ClaimVerdict, int]) -> Iterator[BarPart]:
    whole = sum(counts.values())
    for verdict, (glyph, style) in GLYPHS.items():
        if counts[verdict]:
            yield BarPart(verdict, glyph, style, counts[verdict], counts[verdict] / whole)
