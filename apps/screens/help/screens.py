"""The help pages of the screens, each with a template."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScreenHelp:
    """One page; `summary` is shown beside its title in the list."""

    slug: str
    title: str
    summary: str

    @property
    def template(self) -> str:
        return f"help/screens/{self.slug}.html"


SCREENS: tuple[ScreenHelp, ...] = tuple(
    ScreenHelp(*entry)
    for entry in (
        ("first-crawl", "Your first crawl", "from a topic to a collection in ten minutes"),
        ("from-an-idea", "From an idea to a spreadsheet", "one sentence, a few answers, a list"),
        ("topics", "Topics", "keywords, seeds, examples, targets, and the classifier they make"),
        ("hosts", "Hosts", "which hosts are in and out, and how they link to each other"),
        ("sources", "Sources", "directories, files and webs that topics can be made of"),
        ("backgrounds", "Backgrounds", "texts that show which words are common everywhere"),
        ("new-crawl", "New crawl", "strategy, web, scope, budget"),
        ("crawls", "Crawls", "finding, tagging, pausing and deleting crawls"),
        ("live-crawl", "The live crawl", "reading the charts, steering while it runs"),
        ("left-out", "Left out", "what a crawl met and did not take, and what can be done"),
        ("labels", "Labels of several people", "how far people agree, and what they settle"),
        ("dossier", "Dossier of a host", "what was asked of a host, when, and by which rules"),
        ("compare", "Compare", "which crawl did better, by how much, and the limits of the data"),
        ("experiments", "Experiments", "which crawler is better, and by how much"),
        ("paper-figures", "The papers’ figures", "what each shows, and how to read it"),
        (
            "deviations",
            "Where this differs from the papers",
            "choices, departures and errata, each with its reason",
        ),
        ("measures", "Measures", "figures over a crawl’s records, and the judge behind each"),
        ("politeness", "Politeness and robots.txt", "which requests hosts get, and how often"),
        ("watch", "Watching a topic", "what is new, changed or gone, and digests of it"),
        ("collection", "Collection", "searching, judging and explaining pages"),
        ("download", "Download", "the formats and their contents"),
        ("recipes", "Running again, recipes", "repeating a crawl here or elsewhere"),
        ("accounts", "Accounts and sharing", "who sees what, and who may change it"),
        ("administration", "Administration", "backup, upgrade, and more machines"),
    )
)


def screen_help(slug: str) -> ScreenHelp | None:
    """The page of that name, or None."""
    return next((screen for screen in SCREENS if screen.slug == slug), None)
