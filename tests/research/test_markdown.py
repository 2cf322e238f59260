"""Pages in Markdown: tables, numbers and the space between blocks."""

from __future__ import annotations

import ast
from pathlib import Path

from apps.research.markdown import fixed, in_brackets, render, table
from tests.running_site import ROOT


def test_a_bar_within_a_cell_is_escaped() -> None:
    assert table(["a", "b|c"], [["1", "2"]]) == "| a | b\\|c |\n| --- | --- |\n| 1 | 2 |"


def test_numbers_have_as_many_decimals_as_asked_and_no_names_no_brackets() -> None:
    assert (fixed(0.126, 2), in_brackets(["cora", "webkb"]), in_brackets([])) == (
        "0.13",
        " (cora, webkb)",
        "",
    )


def test_a_template_is_not_escaped_and_missing_blocks_leave_no_gap() -> None:
    text = render("effectiveness/mixtures.md", table="| p < .05 |", mixtures=[])
    assert "| p < .05 |" in text and "Page's" in text
    assert "\n\n\n" not in text and text.endswith("|\n")


def test_no_module_of_research_holds_prose() -> None:
    """What pages say stands in their templates; strings of modules are names and short phrases."""
    long = {
        f"{path.name}:{node.lineno}": node.value[:60]
        for path in (ROOT / "apps" / "research").rglob("*.py")
        for node in prose(path)
    }
    assert long == {}


def prose(path: Path) -> list[ast.Constant]:
    """Strings of more than 200 characters that are neither docstrings nor help of a command."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and len(node.value) > 200
        and id(node) not in docs
        and "commands" not in path.parts
    ]
