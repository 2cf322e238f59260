"""Designs as TOML files."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.experiments.design import toml_file
from apps.experiments.design.schema import Design
from apps.experiments.design.toml_file import read_design, read_design_file, write_design
from apps.schemas.refused import Refused


def test_the_example_of_the_docs_is_read():
    assert toml_file.__doc__ is not None
    example = toml_file.__doc__.partition("\n\n")[2]
    design = read_design("\n".join(line.strip() for line in example.splitlines()))
    assert design.topics == ("Bread", "Stars")
    assert design.crawlers[1].parameters == {"beta": [0.25, 0.5]}
    assert design.measure == "target_recall"


def test_a_design_is_written_and_read_back():
    design = Design.read(
        {
            "name": "Zoë’s “test”",
            "web": "made",
            "topics": ["a", "b"],
            "pages": 300,
            "at": 100,
            "crawlers": [
                {"strategy": "full_page"},
                {
                    "strategy": "text_window",
                    "parameters": {"window": [10, 20]},
                    "parent_policy": "mean",
                },
            ],
            "scope": {"depth": 3},
            "politeness": {"delay": 1.5},
            "baseline": 2,
            "repetitions": 4,
        }
    )
    assert read_design(write_design(design)) == design
    assert "format" not in write_design(design)


@pytest.mark.parametrize(
    "text, field, words",
    [
        ('name = "a"\nweb = made', "", "line 2"),
        (b"\xff\xfe", "", "UTF-8"),
        ('name = "a"\nweb = "made"\npages = "many"', "pages", "a whole number"),
        ('name = "a"\nweb = "made"\nspeed = 3', "speed", "There is no speed"),
        ('web = "made"', "name", "a text"),
        (
            'name = "a"\nweb = "made"\n[[crawlers]]\nstrategy = "full_page"\nname = "x"',
            "crawlers.name",
            "There is no name",
        ),
    ],
)
def test_bad_files_are_refused_where_they_are_wrong(text, field, words):
    with pytest.raises(Refused) as refused:
        read_design(text)
    assert refused.value.field == field
    assert words in refused.value.message


DESIGN = 'name = "a"\nweb = "made"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pages = " + "9" * 5_000, "more digits than can be read"),
        ("x = " + "[" * 60_000, "its brackets are nested too deeply"),
        ("x = 1\n" + "a." * 60_000 + "a = 1", "key on line 2 has more than 16 parts"),
        ("a . " * 20 + "a = 1", "more than 16 parts"),
        ('"a\\"b".' * 20 + "a = 1", "more than 16 parts"),
        ("'a'." * 20 + "a = 1", "more than 16 parts"),
        ("x = '" + "y" * 2**18 + "'", "A design has up to 256 kB"),
    ],
)
def test_what_would_cost_the_reader_too_much_is_refused(text: str, words: str) -> None:
    for sent in (text, text.encode()):
        with pytest.raises(Refused) as refused:
            read_design(sent)
        assert words in refused.value.message
        assert "recursion" not in refused.value.message


def test_dots_in_texts_numbers_and_comments_are_no_key() -> None:
    dots = ".".join(["a"] * 40)
    numbers = ", ".join(["0.25"] * 40)
    text = f"""{DESIGN}# {dots}
note = "{dots}"
[[crawlers]]
strategy = "full_page"
parameters = {{x = [{numbers}]}}
"""
    assert read_design(text).note == dots


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_text(DESIGN + "# " + "x" * 2**18)
    with pytest.raises(Refused, match="256 kB"):
        read_design_file(path)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(Refused, match="cannot be opened"):
        read_design_file(tmp_path / "none.toml")


def test_samples_meet_the_moment_of_the_comparison():
    for pages, at in ((1500, 500), (40, 33), (1000, 999), (10, 10)):
        design = Design.read({"name": "x", "web": "made", "pages": pages, "at": at})
        assert at % design.sample_every == 0
        assert pages / design.sample_every >= 1
