"""What holds of the project's own files: versions, settings, and the tools that check a change."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import yaml
from django.conf import settings
from packaging.utils import canonicalize_name

import apps
import crawlsite
from crawlsite import settings as module
from scripts import pin
from tests.set_ups import RULES

ROOT = Path(__file__).parents[1]
SETTING = re.compile(r"\b(?:CRAWLSITE_[A-Z0-9_]+|DATABASE_URL|REDIS_URL)\b")


def test_every_dependency_is_pinned_to_what_the_tests_run_with() -> None:
    pinned = pin.pinned()
    named = {canonicalize_name(requirement.name) for requirement in pin.required()}
    assert sorted(named - pinned.keys()) == [], "run `.venv/bin/python -m scripts.pin`"
    other = {name: number for name, number in pinned.items() if version(name) != number}
    assert other == {}, "run `.venv/bin/python -m scripts.pin`"


def test_the_pins_are_versions_that_pyproject_allows() -> None:
    pinned = pin.pinned()
    refused = [
        str(requirement)
        for requirement in pin.required()
        if not requirement.specifier.contains(pinned[canonicalize_name(requirement.name)])
    ]
    assert refused == []


def test_no_extra_weighs_on_the_base_installation() -> None:
    heavy = {"hf-xet", "huggingface-hub", "playwright", "pyarrow", "tokenizers", "wordllama"}
    assert heavy < pin.pinned().keys()
    assert heavy & {*pin.closure(pin.base())} == set()


def test_the_pins_name_no_registry_and_the_installer_reads_them() -> None:
    assert re.findall(r"https?:|--?\w*index|@", pin.FILE.read_text()) == []
    script = (ROOT / "scripts/set_up.sh").read_text()
    installs = re.findall(r"(?:uv |-m )pip install(?:[^\n]|\\\n)*", script)
    assert len(installs) == 3 and all("constraints.txt" in line for line in installs)


def test_the_version_stands_in_one_place() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" in pyproject["project"]["dynamic"] and "version" not in pyproject["project"]
    file = pyproject["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{settings.VERSION}"' in (ROOT / file).read_text()
    assert crawlsite.__version__ == settings.VERSION


def test_every_setting_of_the_environment_is_described() -> None:
    read = {
        name
        for folder in ("apps", "crawlsite")
        for path in (ROOT / folder).rglob("*.py")
        for name in re.findall(
            r"""["'](CRAWLSITE_[A-Z0-9_]+|DATABASE_URL|REDIS_URL)["']""", path.read_text()
        )
    }
    described = set(SETTING.findall(module.__doc__ or ""))
    assert described == read


def test_every_package_is_named_with_one_line_in_the_order_of_the_contract() -> None:
    named = re.findall(r"^    (\w+)  +\w[^\n]*$", apps.__doc__ or "", re.M)
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = pyproject["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each.get("containers") == ["apps"])
    assert named == [name for layer in layers for name in re.split(r"\W+", layer)]


def test_the_classes_that_templates_name_for_their_rows_are_there() -> None:
    named = {
        (str(path.relative_to(ROOT)), module, name)
        for path in (ROOT / "templates").rglob("*.html")
        for comment in re.findall(r"{#.*?#}", path.read_text())
        for module, name in re.findall(r"\b([a-z_]+(?:\.[a-z_]+)+)\.([A-Z]\w+)", comment)
    }
    assert named
    assert [each for each in sorted(named) if not has_class(*each[1:])] == []


def has_class(module: str, name: str) -> bool:
    file = (ROOT / "apps" / module.replace(".", "/")).with_suffix(".py")
    return file.is_file() and re.search(rf"^class {name}\b", file.read_text(), re.M) is not None


def test_a_commit_is_checked_by_the_tools_of_the_project_alone() -> None:
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert local["repo"] == "local"
    commands = [hook["entry"].removeprefix(".venv/bin/") for hook in local["hooks"]]
    rules = [" ".join(rule) for rule in RULES if rule[0] in ("ruff", "mypy", "lint-imports")]
    shared = [command.replace(" --force-exclude", "") for command in commands]
    assert shared == [rule.replace(" --check", "") for rule in rules]
    assert all(hook["language"] == "system" for hook in local["hooks"])


def test_a_pull_request_runs_what_a_person_runs_with_both_services() -> None:
    (job,) = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"].values()
    assert {"postgres", "redis"} == job["services"].keys()
    steps = [step["run"] for step in job["steps"] if "run" in step]
    assert steps[-1] == ".ci/run"
