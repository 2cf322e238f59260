"""docs/reproduction.md is what the saved results say."""

from __future__ import annotations

import numpy as np
import pytest

from apps.papers.catalogue import protocols
from apps.papers.claims import ClaimVerdict
from apps.papers.result import read_results, result_of
from apps.papers.tables.observed import Observed
from apps.research.reproduction import write_document
from apps.schemas.refused import Refused
from tests.papers.made_protocols import PAIR, protocol
from tests.running_site import ROOT

FIGURE = {
    "id": "figure",
    "sentence": "It harvests .9",
    "pairs": [],
    "direction": None,
    "measures": ["harvest_rate"],
    "figures": {"Full Page": 0.9},
    "within": 0.1,
}
CANNOT = {"id": "web", "cannot": "the Web is gone."}
MADE = protocol(PAIR, {**PAIR, **FIGURE}, CANNOT, title="Meadows", notes=["A remark."])


def seen(shift: float = 0.05) -> Observed:
    base = np.array([0.30, 0.32, 0.28, 0.35, 0.31, 0.29])
    better = base + np.array([0.9, 1.1, 1.0, 0.8, 1.2, 1.0]) * shift
    recall = np.array([better, base, np.full(6, np.nan)]).T
    return Observed(
        "topic",
        6,
        ("Full Page", "Breadth-first", "Best-first"),
        {"target_recall": recall, "harvest_rate": recall},
        fewest=6,
    )


def made(web: str = "meadow", shift: float = 0.05):
    return result_of("made", MADE, web, seen(shift), {"command": f"reproduce made --web {web}"})


def written(*results) -> str:
    return write_document({"made": MADE}, results)


def test_the_document_in_the_project_is_written_of_its_results():
    results = read_results([ROOT / "docs" / "reproduction"])
    text = (ROOT / "docs" / "reproduction.md").read_text("utf-8")
    assert text == write_document(protocols(), results)


def test_a_claim_stands_beside_the_papers_figure_ours_and_a_verdict():
    text = written(made(), made("pond", -0.05))
    assert "### Meadows (Fig. 1)" in text
    assert "reproduce made --web pond" in text
    (row,) = (line for line in text.splitlines() if line.startswith("| Full Page is better"))
    claim, compared, meadow, first, pond, second = (
        cell.strip() for cell in row.strip("|").split(" | ")
    )
    assert first == "< 0.001" and second == "1.000"
    assert claim == "Full Page is better (§1; the paper: p < .05)"
    assert compared == "Full Page − Breadth-first"
    assert meadow.startswith("+0.050 (+0.04") and "p < 0.001" in meadow
    assert meadow.endswith("**reproduced**") and pond.endswith("**contradicted**")
    assert "0.358 (0." in text and "the paper 0.9: **contradicted**" in text
    assert "- So it is (§1; the paper: so): the Web is gone." in text
    assert "- A remark." in text


def test_the_summary_counts_each_claim_once_a_web():
    text = written(made(), made("pond", -0.05))
    (row,) = (line for line in text.splitlines() if line.startswith("| LC: Meadows"))
    assert [cell.strip() for cell in row.strip("|").split(" | ")] == [
        "LC: Meadows",
        "Fig. 1",
        "meadow, pond",
        "1",
        "3",
        "–",
        "1",
    ]


def test_means_have_a_column_for_each_web():
    text = written(made(), made("pond"))
    assert "| Target recall, meadow | Target recall, pond |" in text
    assert "| Breadth-first | 0.308 ± 0.026 |" in text
    assert "Best-first |" not in text  # nothing is known of it


def test_a_protocol_that_was_not_run_is_marked_as_such():
    text = written()
    assert "| not run |" in text and "the Web is gone" in text


def test_results_of_other_claims_or_protocols_are_refused():
    changed = protocol({**PAIR, "id": "another"})
    with pytest.raises(Refused, match=r"about other claims \(figure, first, web\)"):
        write_document({"made": changed}, [made()])
    with pytest.raises(Refused, match="no protocol made any more"):
        write_document({}, [made()])


def test_a_claim_that_was_added_later_is_not_run():
    reproduced = protocol(PAIR, {**PAIR, **FIGURE}, CANNOT, {**PAIR, "id": "later"})
    text = write_document({"made": reproduced}, [made()])
    assert text.count("not run since the claim was added") == 1


def test_each_contradiction_in_the_project_has_a_cause():
    without = [
        f"{result.protocol} on {result.web}: {finding.claim}"
        for result in read_results([ROOT / "docs" / "reproduction"])
        for finding in result.findings
        for claim in protocols()[result.protocol].claims
        if claim.id == finding.claim and finding.verdict is ClaimVerdict.CONTRADICTED
        if not claim.cause
    ]
    assert without == []
    assert "**contradicted**: " in (ROOT / "docs" / "reproduction.md").read_text("utf-8")
