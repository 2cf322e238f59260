"""The command `reproduce`: claims and figures, the paper's beside them, and clear refusals."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.engine.evaluation.significance import holm, paired_t_test
from apps.engine.networking.web_import.importing import import_json_lines
from apps.papers.result import read_results
from apps.papers.tables.hcla_table_3 import PUBLISHED, reproduce
from apps.papers.tables.hcla_variants import PARAMETERS
from apps.papers.tables.options import Options
from apps.schemas.refused import Refused
from apps.webs.importing import import_web
from apps.webs.models import Web
from tests.experiments.made_labelled import write_labelled
from tests.people import person


def reproduced(*arguments: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("reproduce", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_it_prints_our_figures_and_the_papers_below_them(web_file):
    out, err = reproduced(
        "hcla-table-3",
        "--web",
        str(web_file),
        "--categories",
        "student",
        "course",
        "--crawlers",
        "brfs",
        "hcla",
        "--universities",
        "north",
        "south",
    )
    student, course = out.partition("\n\nPrecision at recall 0.1,")[0].split("\n\ncourse:")
    assert (
        "student: 18 relevant pages (9 at north, 9 at south; Table 1), 18 within reach" in student
    )
    assert student.count("in the paper") == 2 and "0.56      0.37      0.21" in student
    assert "in the paper" not in course
    assert "reading made.jsonl with made.redirects.json" in err
    assert "8 of 8: course at south, HCLA" in err
    assert "Precision at recall .5 (here: within .05) (Table 3; the paper: .24 to .37)" in out
    assert "  SS1: " not in out and "  BRFS: 0." in out


def test_json_holds_every_figure_and_the_published_ones(web_file, capsys):
    reproduced(
        "hcla-table-3",
        "--web",
        str(web_file),
        "--categories",
        "student",
        "--crawlers",
        "brfs",
        "--json",
    )
    printed = json.loads(capsys.readouterr().out)
    assert printed["published"]["student"]["hcla"]["precision"] == [0.56, 0.37, 0.21]
    line = printed["categories"]["student"]["crawlers"]["brfs"]
    assert [level["recall"] for level in line["over_all"]] == [0.1, 0.5, 1.0]
    assert line["over_all"][2]["reached"] == 3
    assert line["pages"] == 3 * 29
    assert [(one["found"], one["relevant"]) for one in line["crawls"]] == [(9, 9)] * 3
    means = [sum(one["precision"][i] for one in line["crawls"]) / 3 for i in range(3)]
    assert means == pytest.approx([level["precision"]["mean"] for level in line["over_all"]])


def test_the_figures_of_a_crawl_are_means_over_the_universities(parted):
    options = Options(categories=("student",), crawlers=("brfs",))
    line = reproduce(parted, options, lambda line: None).lines[0]
    # All 9 relevant pages are among the 29 within reach; the last one found decides.
    assert line.over_all[2].precision.mean >= 9 / 29
    assert line.over_all[2].f1.mean == pytest.approx(
        2 * line.over_all[2].precision.mean / (1 + line.over_all[2].precision.mean), abs=0.01
    )
    assert line.harvest.interval is not None
    assert line.universities == ("north", "south", "west")


def test_a_crawl_does_not_depend_on_those_run_before_it(parted):
    def line(*categories: str):
        options = Options(categories=categories, crawlers=("hcla",), universities=("north",))
        lines = reproduce(parted, options, lambda line: None).lines
        return next(line for line in lines if line.category == "student").crawls

    assert line("course", "student") == line("student")


def test_one_university_alone_has_no_interval(parted):
    options = Options(categories=("student",), crawlers=("brfs",), universities=("west",))
    line = reproduce(parted, options, lambda line: None).lines[0]
    assert line.harvest.interval is None


def test_the_published_figures_are_those_of_the_six_crawlers():
    assert set(PUBLISHED) == {"brfs", "bl", "ss1", "ss2", "pr", "hcla"}


def test_it_prints_what_link_analysis_costs(web_file):
    out, _ = reproduced("hcla-cost", "--web", str(web_file))
    lines = out.partition("\n\nCPU time")[0].splitlines()
    assert [line.split()[0] for line in lines[3:]] == ["brfs", "pr", "hcla"]
    assert all(int(line.split()[1]) == 3 * 29 for line in lines[3:])


@pytest.mark.django_db
def test_an_imported_web_is_read_where_it_is(web_file, data_dir):
    import_json_lines(web_file, data_dir / "webs" / "kept")
    Web.objects.create(name="kept", source=Web.Source.FOLDER, folder="kept")
    out, err = reproduced(
        "hcla-table-3",
        "--web",
        "kept",
        "--categories",
        "student",
        "--crawlers",
        "brfs",
        "--pages",
        "5",
    )
    assert "student: 27 relevant pages" in out
    assert "reading" not in err


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--web", "nowhere.jsonl"], "There is no file nowhere.jsonl"),
        (["--web", "FILE", "--categories", "poetry"], "There is no category poetry; there are"),
        (["--web", "FILE", "--universities", "east"], "there are: north, south, west"),
        (["--web", "FILE", "--crawlers", "ants"], "There is no crawler ants"),
        (["--web", "FILE", "--redirects", "gone.json"], "There is no file gone.json"),
        (["--web", "FILE", "--pages", "0"], "--pages must be 1 or more"),
    ],
)
def test_what_cannot_be_run_is_refused_in_words(web_file, arguments, words):
    given = [str(web_file) if each == "FILE" else each for each in arguments]
    with pytest.raises(CommandError, match=words):
        reproduced("hcla-table-3", *given)


@pytest.mark.parametrize(
    ("table", "option", "value"),
    [
        ("hcla-cost", "--crawlers", "brfs"),
        ("hcla-cost", "--categories", "student"),
        ("afc-figures", "--crawlers", "brfs"),
        ("hcla-table-5", "--categories", "student"),
        ("hcla-table-5", "--universities", "north"),
        ("hcla-cost", "--topics", "3"),
        ("lc-contexts", "--crawlers", "brfs"),
        ("sl-utility", "--redirects", "made.json"),
    ],
)
def test_an_option_that_a_table_does_not_obey_is_refused(web_file, table, option, value):
    with pytest.raises(CommandError, match=f"{table} takes no {option}"):
        reproduced(table, "--web", str(web_file), option, value)


def test_a_crawler_of_another_table_is_refused(web_file):
    with pytest.raises(CommandError, match="There is no crawler plsi_phits; there are: brfs"):
        reproduced("hcla-ss1", "--web", str(web_file), "--crawlers", "plsi_phits")


def test_the_parameters_of_hcla_are_those_of_the_papers_figures(web_file):
    # Fig. 7 has k = 50 and N = 10, 25, 50; Fig. 8 has N = 50 and k = 30, 50, 80.
    made = {crawler.id: crawler.make() for crawler in PARAMETERS}
    figures = {(k, n) for k, n in ((50, 10), (50, 25), (50, 50), (30, 50), (80, 50))}
    for raw, columns in (("", "unit"), ("_raw", "raw")):
        mine = {
            name: each
            for name, each in made.items()
            if name.startswith("hcla") and name.endswith("_raw") is bool(raw)
        }
        assert {(each.k, each.reorders_every) for each in mine.values()} == figures
        assert {each.columns for each in mine.values()} == {columns}
    out, _ = reproduced(
        "hcla-parameters",
        "--web",
        str(web_file),
        "--categories",
        "student",
        "--crawlers",
        "brfs",
        "hcla50r10",
        "--universities",
        "north",
    )
    assert out.partition("\n\nMean harvest rate")[0].count("HCLA50r10") == 4


def test_readings_of_ss1_are_a_table(web_file):
    out, _ = reproduced(
        "hcla-ss1",
        "--web",
        str(web_file),
        "--crawlers",
        "brfs",
        "best_1000",
        "--universities",
        "north",
        "south",
    )
    assert "SS1, best of each, 1,000 terms" in out and "Against BRFS" in out


def test_curves_begin_and_end_where_the_crawls_do(parted):
    options = Options(categories=("student", "course"), crawlers=("brfs", "bl"))
    table = reproduce(parted, options, lambda line: None)
    line = table.lines[0]
    # Relevant pages of all pages at the end; the last tenth of recall is recall 1.
    ends = [one.found / one.pages for one in line.crawls]
    assert line.course[-1].mean == pytest.approx(sum(ends) / 3)
    assert line.curve[-1] == line.over_all[2].precision
    assert line.curve[4] == line.over_all[1].precision
    both = [one.course[0] for each in table.lines if each.crawler == "brfs" for one in each.crawls]
    assert table.average["brfs"][0].mean == pytest.approx(sum(both) / 6)
    assert "Fig. 5" in table.text() and "Fig. 6" in table.text()


def test_crawlers_are_held_against_the_first_with_holms_correction(parted):
    options = Options(categories=("student",), crawlers=("brfs", "bl", "pr", "oracle"))
    lines = {line.crawler: line for line in reproduce(parted, options, lambda line: None).lines}
    assert lines["brfs"].harvest_against is None and lines["oracle"].harvest_against is None
    tests = {
        name: paired_t_test(
            [one.harvest for one in lines[name].crawls],
            [one.harvest for one in lines["brfs"].crawls],
        )
        for name in ("bl", "pr")
    }
    expected = holm([test.p for test in tests.values()])
    for (name, test), p in zip(tests.items(), expected, strict=True):
        harvests = lines[name].harvest_against
        assert (harvests.difference, harvests.p) == (
            pytest.approx(test.difference),
            pytest.approx(p),
        )


def test_a_web_without_parts_is_refused_in_words(tmp_path):
    path = tmp_path / "plain.jsonl"
    path.write_text(json.dumps({"url": "http://a.test/", "html": "hello"}))
    with pytest.raises(CommandError, match="No part of this web can be crawled"):
        reproduced("hcla-table-3", "--web", str(path))


def test_a_broken_file_is_refused_with_its_line(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text('{"url": "http://a.test/", "html": "x"}\n{"url"')
    with pytest.raises(CommandError, match="Line 2 is not a page"):
        reproduced("hcla-table-3", "--web", str(path))


@pytest.fixture
def labelled(tmp_path: Path, db, data_dir: Path) -> None:
    import_web("labelled", write_labelled(tmp_path))


@pytest.mark.alike
def test_an_experiment_of_a_paper_is_run_and_saved(labelled, data_dir, tmp_path):
    # 32 pages a label are too few for LC, whose topics have 40.
    with pytest.raises(CommandError, match="no two labels of 40 to 600 pages"):
        reproduced("lc-contexts", "--web", "labelled")
    out, err = reproduced(
        "slc-crawlers",
        "--web",
        "labelled",
        "--pages",
        "12",
        "--examples",
        "5",
        "--processes",
        "1",
        "--save",
        str(tmp_path / "kept"),
    )
    assert re.match(r"Experiment \d+: finished", out) and "failed" not in out
    assert "Selective link-context − Breadth-first" in out
    assert "a test needs 6 topics" in out
    assert "slc-crawlers.labelled.json" in err
    (result,) = read_results([tmp_path / "kept"])
    assert (result.cases, result.settings["pages"]) == (3, 12)
    assert result.settings["command"] == (
        "manage.py reproduce slc-crawlers --web labelled --pages 12 --examples 5"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("lc-contexts", "--web", "nowhere"), "There is no web nowhere"),
        (("lc-contexts",), "arguments are required: --web"),
        (("lc-contexts", "--web", "labelled", "--owner", "nobody"), "no active account"),
    ],
)
def test_what_an_experiment_cannot_do_is_refused(labelled, arguments, words):
    with pytest.raises(CommandError, match=words):
        reproduced(*arguments)


@pytest.mark.alike
def test_a_demo_web_is_made_where_it_is_called_for(db, data_dir, monkeypatch):
    asked = []

    def refuse(owner, web, *others):
        asked.append((web.name, web.source))
        raise Refused("web", "Enough.")

    command = "apps.papers.management.commands.reproduce"
    monkeypatch.setattr(f"{command}.set_up", refuse)
    person("ada", is_superuser=True)
    with pytest.raises(CommandError, match="Enough"):
        reproduced("sl-utility", "--web", "demo-3")
    assert asked == [("demo-3", Web.Source.DEMO)]


@pytest.mark.alike
def test_a_number_of_pages_is_refused_where_nothing_is_crawled(web_file):
    with pytest.raises(CommandError, match="sl-locality makes no crawl, so it takes no --pages"):
        reproduced("sl-locality", "--web", str(web_file), "--pages", "30")
