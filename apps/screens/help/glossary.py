"""The glossary: terms of the field, each in a sentence or two."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A term with its meaning; `letter` stands for it in formulas and on charts."""

    word: str
    letter: str
    meaning: str

    @property
    def anchor(self) -> str:
        return self.word.lower().replace(" ", "-").replace("’", "")


TERMS: tuple[GlossaryTerm, ...] = tuple(
    GlossaryTerm(*entry)
    for entry in (
        (
            "Alpha",
            "α",
            "How much topicality counts against status in a link’s utility: 1 counts "
            "topicality alone, 0 status alone. The adaptive strategies move it as the crawl goes.",
        ),
        ("Anchor text", "", "The words of a link that a reader clicks on."),
        ("Best-first", "", "Fetching, of all links that wait, the one with the highest priority."),
        (
            "Budget",
            "",
            "How many pages a crawl may fetch. Failed requests do not count; a limit "
            "on requests, five times as high, guards against webs that only fail.",
        ),
        (
            "Canonical address",
            "",
            "An address in its standard form: without fragment, default port"
            " or needless escapes, so that the same page is not fetched twice.",
        ),
        (
            "Classifier",
            "",
            "A model that estimates the probability that a text is on the topic. It "
            "learns from the topic’s positive and negative examples.",
        ),
        (
            "Collection",
            "",
            "The pages that crawls have fetched, which you can search, label and download.",
        ),
        (
            "Committee",
            "",
            "Three classifiers (SVM, naive Bayes, neural network) trained on the "
            "examples for judging alone. A page is relevant if at least two of them say so.",
        ),
        (
            "Delta",
            "δ",
            "The topicality that an adaptive crawl should keep, as a share of the "
            "highest it has reached or, with the status learner, of what Full page would find. If "
            "the last pages are above it, status gains weight; if below, topicality does.",
        ),
        ("Depth", "", "How many links a page is away from a seed, along the links followed."),
        (
            "Discovered",
            "",
            "Every address a crawl has seen. Each is fetched, failed, excluded or waiting.",
        ),
        (
            "Example",
            "",
            "A page that you say is about the topic, or is not. Training examples"
            " train the crawler, examples for judging train the committee, and none may do both.",
        ),
        ("F1", "", "The harmonic mean of precision and recall: high only if both are."),
        (
            "Focused crawler",
            "",
            "A crawler that follows the links that are likely to lead to pages"
            " on a topic, instead of all links. Also called a topical crawler.",
        ),
        ("Frontier", "", "The links that wait to be fetched, by priority."),
        ("Harvest rate", "", "The share of the fetched pages that the judge calls relevant."),
        ("Host", "", "The server’s name in an address, such as www.example.org."),
        ("In-links", "", "The links from other pages to a page. Status estimates their number."),
        ("Label", "", "Your verdict on a collected page: on the topic, or off it."),
        (
            "Link context",
            "",
            "The words of a page that describe one of its links: its anchor, the"
            " words around it, the paragraph, or the whole page.",
        ),
        ("Live web", "", "The Web itself, fetched as it is today, with robots.txt and pauses."),
        (
            "Near-duplicates",
            "",
            "Pages whose texts have so many runs of three words in common that "
            "they count as copies: about two thirds of those of both. Collections fold them into "
            "one row.",
        ),
        (
            "Parent",
            "",
            "A fetched page that links to an address. If there are several, the parent"
            " policy combines their priorities.",
        ),
        (
            "Politeness",
            "",
            "Pausing between two requests to a host, obeying robots.txt, and "
            "leaving when asked to.",
        ),
        ("Precision", "", "The share of the pages called relevant that are relevant."),
        (
            "Priority",
            "",
            "What a strategy gives a link, from 0 to 1; the highest is fetched "
            "next among the hosts that may be asked.",
        ),
        (
            "Random seed",
            "",
            "The number that starts a crawl’s random choices; the same number on a"
            " recorded web gives the same crawl.",
        ),
        ("Recall", "", "The share of all relevant pages that has been found."),
        (
            "Recipe",
            "",
            "A file with everything needed to run a crawl again: topic, strategy, "
            "parameters, web, random seed and versions.",
        ),
        (
            "Recorded web",
            "",
            "Pages kept on disk with their links, crawled as if they were the "
            "Web: no requests are sent, and every crawl finds the same pages.",
        ),
        ("Relevant", "", "On the topic, in the opinion of the judge; the charts say which judge."),
        ("Robots.txt", "", "A file in which a host says which addresses crawlers may fetch."),
        ("Scope", "", "Which addresses a crawl may fetch at all: hosts, patterns, depth."),
        ("Seed", "", "An address from which a crawl starts."),
        (
            "Served web",
            "",
            "A recorded web behind a web server of this machine, so that it is "
            "fetched over HTTP with real pauses.",
        ),
        (
            "Snapshot",
            "",
            "The topic as it was when a crawl began; later changes of the topic do not affect it.",
        ),
        (
            "Status",
            "σ",
            "How influential a page is, from 0 to 1: a model’s estimate, from the"
            " words of the page, of how many pages link to it.",
        ),
        ("Strategy", "", "The rule that gives links their priority."),
        (
            "Target",
            "",
            "A page on the topic that crawls are not told of. The share of targets "
            "found is the target recall.",
        ),
        (
            "Topicality",
            "τ",
            "The probability, from 0 to 1, that a page is on the topic, by the "
            "classifier that guides the crawl.",
        ),
        (
            "Trap",
            "",
            "A part of a host that produces new addresses without end, such as a calendar.",
        ),
        ("Utility", "", "The value of a link when both topic and status count: τ^α·σ^(1−α)."),
    )
)
