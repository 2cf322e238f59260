"""Messages about a topic: lines not accepted, fetches, the classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.figures.quantities import join_names
from apps.topics.definition.lines import LineError, LineFault
from apps.topics.models import Example, StoredPage
from apps.webs.messages import failure_words

LISTS = {
    "seeds": "seed list",
    "positives": "list of positive examples",
    "negatives": "list of negative examples",
    "evaluation_positives": "list of positive examples for judging",
    "evaluation_negatives": "list of negative examples for judging",
    "targets": "target list",
    "inlinks": "list of in-link counts",
    "backlinks": "list of back-link pages",
    "corpus": "list of corpus pages",
}

BAD_LINES: dict[LineFault, str] = {
    LineFault.NOT_A_URL: "not a web address such as https://www.example.org/page",
    LineFault.TOO_LONG: "longer than 2,000 characters",
    LineFault.DUPLICATE: "the same as line {line}",
    LineFault.SEED: "is a seed: recall counts only pages that crawls do not get",
    LineFault.POSITIVE: "is a positive training example",
    LineFault.NEGATIVE: "is a negative training example",
    LineFault.EVALUATION: "is an example for judging",
    LineFault.TARGET: "is a target, which crawls do not get",
    LineFault.COMMA: "a comma where a dot should be",
    LineFault.SCHEME: "nearly a web address: check what stands before the name of the host",
    LineFault.SCHEME_TWICE: "begins with https:// twice",
    LineFault.DISGUISED: "an address written so that nobody follows it",
    LineFault.ONLY_A_FEED: "a feed without the address of a page",
    LineFault.SITEMAP_OF_SITEMAPS: "a sitemap, not a page",
    LineFault.LABEL: "more than an address: in an uploaded file, a label (positive, negative) or a "
    "role (train, evaluate, seed, target) beside it chooses its list",
    LineFault.PRIVATE_ADDRESS: "leads to this machine or a private network, where no crawl may go",
    LineFault.PRIVATE_NAME: "is a name of a private network: crawls reach public hosts only, such "
    "as example.org",
    LineFault.PORT_ZERO: "names port 0, to which nothing can connect",
    LineFault.LONG_NAME: "has a host name longer than 63 characters between two dots",
    LineFault.NO_COUNT: "no whole number beside the address",
}

OVERLAPS = frozenset(
    {
        LineFault.SEED,
        LineFault.POSITIVE,
        LineFault.NEGATIVE,
        LineFault.EVALUATION,
        LineFault.TARGET,
    }
)

USELESS = {
    StoredPage.Unusable.NEEDS_JAVASCRIPT: "shows its text by script only",
    StoredPage.Unusable.NO_WORDS: "no words",
    StoredPage.Unusable.SAME_PAGE: "same page as another example",
    StoredPage.Unusable.TAKEN_DOWN: "taken down with its host",
}

SOURCES = {
    Example.Source.NAMED: "named",
    Example.Source.OTHER_TOPIC: "another topic",
    Example.Source.BACKGROUND: "gathered",
    Example.Source.LABEL: "label",
}

ADVICE: dict[str, tuple[str, str]] = {
    "no_positives": (
        "No positive example has been fetched yet.",
        "Add about 20 pages on the topic; until then the learner begins with its words.",
    ),
    "few_positives": (
        "There are few positive examples.",
        "About 20 make a classifier that can be trusted.",
    ),
    "no_negatives": (
        "There is no negative example.",
        "Name some, make a second topic on the same web, or have some sampled.",
    ),
    "few_negatives": (
        "There are few negative examples.",
        "Name some more, make a second topic on the same web, or have some sampled.",
    ),
    "at_chance": (
        "The classifier cannot tell the topic from other pages.",
        "It judges no crawl alone: pages are shown as not judged. Name ten pages that are not on"
        " the topic, and train again.",
    ),
    "gathered_only": (
        "Its negatives are gathered, and some may be on the topic: no quality can be measured.",
        "Name ten pages that are not on the topic, and train again.",
    ),
    "weak": (
        "The classifier is weak.",
        "Look at the misjudged examples: relabel those that are wrong, and add more pages"
        " like the others.",
    ),
    "recall_weak": (
        "Recall is the weak side.",
        "It misses pages of the topic. Two or three positive examples like those it "
        "misjudges would help.",
    ),
    "precision_weak": (
        "Precision is the weak side.",
        "It takes other pages for the topic. Negative examples like those it misjudges would help.",
    ),
}

MODELS = {"svm": "SVM", "nb": "Naive Bayes", "nn": "Neural network"}

JUDGES = {
    "committee": "Crawls are judged by a committee of three that learns from the examples for "
    "judging alone.",
    "lc_committee": "Crawls are judged by a committee of three that learns from all examples.",
    "held_out_svm": "Crawls are judged by an SVM that learns from the examples for judging alone.",
    "guiding_classifier": "There are no examples for judging: crawls would be judged by the"
    " guiding classifier, which overrates its own choices. Add some under Edit, "
    "Judge’s examples.",
    "none": "There is nothing to judge a crawl by yet.",
}

LANGUAGES = {
    "": "Detect from the examples",
    "da": "Danish",
    "nl": "Dutch",
    "en": "English",
    "fi": "Finnish",
    "fr": "French",
    "de": "German",
    "hu": "Hungarian",
    "it": "Italian",
    "no": "Norwegian",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "es": "Spanish",
    "sv": "Swedish",
    "tr": "Turkish",
}

WORK = {
    "fetching": "The examples are being fetched",
    "gathering": "A background is being gathered",
    "training": "The classifier is being trained",
    "scanning": "The links of the recorded web are being counted",
    "classes": "The pages of the directory’s classes are being fetched",
    "checking": "The targets are being checked",
}


def line_words(error: LineError) -> str:
    """Why a line is not accepted."""
    return BAD_LINES[error.reason].format(line=error.line)


def list_words(name: str, errors: Sequence[LineError], accepted: int) -> str:
    """One sentence about a list: how many lines are not accepted, and how many are kept."""
    lines = "1 line that is" if len(errors) == 1 else f"{len(errors):,} lines that are"
    overlaps = sum(error.reason in OVERLAPS for error in errors) if name == "targets" else 0
    noun = "is a seed or training example" if overlaps == 1 else "are seeds or training examples"
    taken_out = f" ({overlaps:,} {noun})" if overlaps else ""
    others = {0: "None is", 1: "The other one is"}.get(accepted, f"The other {accepted:,} are")
    return f"The {LISTS[name]} has {lines} not taken{taken_out}. {others} kept."


def fetch_words(failure: str) -> str:
    """Why an example's page cannot be used."""
    for unusable, words in USELESS.items():
        if failure == unusable:
            return words
    return failure_words(failure)


def language_words(code: str | None) -> str:
    """Which stemmer and stop words are used."""
    if not code:
        return "language unknown: no stemmer, no stop words"
    if len(codes := code.split()) > 1:
        return f"stemmers and stop words of {language_names(codes)}, by the page"
    return f"{LANGUAGES.get(code, code)} stemmer and stop words"


def language_names(codes: Sequence[str]) -> str:
    """`English and German`, `English, German and French`."""
    return join_names([LANGUAGES.get(code, code) for code in codes])


def advice_words(codes: Sequence[str]) -> list[dict[str, Any]]:
    """The advice codes of a quality as sentences: what is wrong, and what to do."""
    return [{"what": ADVICE[code][0], "do": ADVICE[code][1]} for code in codes]
