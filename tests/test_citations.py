"""What is cited exists: sections of the five papers, and nothing that a reader cannot have."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from apps.engine.intelligence.strategies import CATALOGUE

ROOT = Path(__file__).parents[1]
SECTIONS = {
    "LC": "1 2 2.1 2.2 2.3 3 4 5 6 7 8 9 9.1 9.2 9.3 10 10.1 10.2 10.3 10.4 10.5 11",
    "AFC": "1 1.1 1.2 2 2.1 2.2 2.2.1 2.2.2 2.2.3 2.3 3 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 4",
    "SLC": "1 2 3 3.1 3.2 4 5 5.1 5.2 5.3 6",
    "HCLA": "1 2 2.1 2.1.1 2.1.2 2.2 2.2.1 2.2.2 2.3 3 3.1 3.2 3.3 4 5 5.1 5.2 6",
    "SL": "1 2 2.1 2.2 2.3 2.4 3 3.1 4 4.1 4.2 5 5.1 5.2 6 6.1 6.2 6.3 7 7.1 7.2 7.3 8",
}
CITED = re.compile(
    r"\b(LC|AFC|SLC|HCLA|SL)(?:['’]s)?\s+(§\s?\d+(?:\.\d+)*(?:(?:,|;|\s+and|\s+to)\s+§\s?[\d.]*\d)*)"
)
UNPUBLISHED = re.compile(r"\b(?:RULINGS|AUDIT|SAFETY P\d|METHODS\.md|METHODS,? §|DESIGN,? §)")
TEXTS = sorted(
    path
    for path in chain(
        *(
            (ROOT / folder).rglob(kind)
            for folder in ("apps", "templates", "docs", "tests")
            for kind in ("*.py", "*.html", "*.md", "*.txt")
        ),
        ROOT.glob("*.md"),
    )
    if path != Path(__file__)
)


@pytest.mark.parametrize("paper", SECTIONS)
def test_every_section_that_is_cited_exists(paper: str) -> None:
    sections, cited = set(SECTIONS[paper].split()), 0
    for path in TEXTS:
        for citation in CITED.finditer(path.read_text()):
            if citation[1] == paper:
                numbers = set(re.findall(r"\d+(?:\.\d+)*", citation[2]))
                assert numbers <= sections, f"{path}: {citation[0]}"
                cited += 1
    assert cited > 5


def test_nothing_is_cited_that_is_not_published() -> None:
    for path in TEXTS:
        assert not (match := UNPUBLISHED.search(path.read_text())), f"{path}: {match[0]}"


@pytest.mark.parametrize("kind", CATALOGUE, ids=lambda kind: kind.id)
def test_a_strategy_names_a_section_of_its_paper(kind) -> None:
    assert f"{kind.paper} §" in kind.section or kind.section == kind.paper == "Crawlsite"


@pytest.mark.parametrize("text", ["Full Page (LC §6.1)", "by SL’s §4.2 and\n§9", "HCLA §5.1, §5.3"])
def test_a_section_that_is_in_no_paper_would_be_found(text: str) -> None:
    citation = CITED.search(text)
    assert citation and not set(re.findall(r"\d+(?:\.\d+)*", citation[2])) <= set(
        SECTIONS[citation[1]].split()
    )
