"""Titles of parameters and their choices on the form, unless their names suffice."""

from __future__ import annotations

from collections.abc import Mapping

from apps.engine.intelligence.strategies import strategy

TITLES: Mapping[str, str] = {
    "alpha": "weight of topicality",
    "alpha0": "first weight of topicality",
    "anchor_text": "Use the anchors of links",
    "beta_limit": "Least β",
    "classes": "Use the classes of the page",
    "classifier": "Text classifier",
    "cocitation": "Use links near known ones",
    "columns": "Length of documents",
    "cooling": "pages that halve the chance",
    "corpus_links": "Use links within the corpus",
    "corpus_until": "Drop the corpus after",
    "critic": "Who judges pages for it",
    "cut": "Odds that count as high",
    "damping": "share of links followed",
    "decay": "share kept by a generation",
    "delta": "wanted topicality",
    "delta_is": "What δ is a share of",
    "depth": "irrelevant pages followed",
    "dmax": "Words to each side of a link",
    "edge": "At the edge of a page",
    "eta": "step that lowers β",
    "explore": "chance of a random host",
    "factors": "topics behind the texts",
    "first_reorder": "Pages before it first learns",
    "folders": "Tell folders of a host apart",
    "form": "How τ and σ are joined",
    "gamma": "weight of the inherited score",
    "generations": "Generations of ancestors",
    "guide": "Ranking strategy",
    "guide_parameters": "Parameters of the ranking strategy",
    "idf": "Rarity of terms counted over",
    "iterations": "Rounds of the ranking",
    "k": "Dimensions of the latent space",
    "latent": "Use the background’s directions",
    "link_weight": "Weight of a link",
    "members": "Strategies that are mixed",
    "memory": "pages remembered",
    "mode": "When it learns",
    "most_pages": "Most pages in a ranking",
    "most_waiting": "Most links in a ranking",
    "offsets": "Use the places of words",
    "parents": "Ancestors of one generation",
    "prior": "What a new host is taken for",
    "query": "What pages are compared with",
    "rate": "how fast the weights move",
    "reach": "Pages that show what can be reached",
    "rejected": "Links below the threshold",
    "reorders_every": "pages between two rankings",
    "samples": "corpus texts taken",
    "self_link": "A page links to itself",
    "step": "how fast α moves",
    "steps": "Rounds at each β",
    "terms": "Most frequent terms that count",
    "theta": "middle of the status scale",
    "theta_local": "θ from this crawl’s pages",
    "theta_over": "Where θ comes from",
    "topicality": "How τ is read",
    "weighting": "Weights of terms",
    "width": "Links of an irrelevant page",
    "window": "words around the link",
}

# By strategy and parameter, if two strategies use a name differently.
OWN_TITLES: Mapping[tuple[str, str], str] = {
    ("plsi_phits", "alpha"): "weight of text against links",
    ("shark_search", "beta"): "weight of the anchor",
    ("shark_search", "delta"): "what a link inherits",
    ("tag_tree_combo", "beta"): "weight of the page",
    ("text_window_combo", "beta"): "weight of the page",
    ("tag_tree_combo", "least"): "fewest words",
    ("tag_tree_combo", "most"): "most words",
    ("anchor_decision_tree", "least"): "Fewest links of a rule",
    ("taxonomy_baseline", "least"): "fewest pages of a class",
    ("taxonomy_baseline", "most"): "Most pages of a class",
    ("fish_search", "threshold"): "Share of keywords wanted",
    ("selective_link_context", "threshold"): "least probability",
}

CHOICES: Mapping[tuple[str, str], str] = {
    ("classifier", "svm"): "support vector machine",
    ("classifier", "nb"): "naive Bayes",
    ("classifier", "nn"): "neural network",
    ("columns", "unit"): "all the same, as published",
    ("columns", "raw"): "as they are",
    ("critic", "page"): "the page classifier",
    ("critic", "taxonomy"): "the classes of a directory",
    ("delta_is", "share"): "what the crawl can reach",
    ("delta_is", "level"): "1, as published",
    ("edge", "fill"): "words come from the other side",
    ("edge", "cut"): "the window stays short",
    ("form", "cobb_douglas"): "multiplied",
    ("form", "linear"): "added",
    ("idf", "background"): "examples and unlabelled pages",
    ("mode", "online"): "while it crawls",
    ("mode", "offline"): "before, from an earlier crawl",
    ("parents", "sum"): "add up",
    ("parents", "max"): "the best one counts",
    ("prior", "crawl"): "the mean of the crawl",
    ("prior", "uniform"): "anything, as published",
    ("query", "examples"): "each positive example",
    ("query", "frontier"): "the positive examples of the corpus",
    ("rejected", "drop"): "are dropped",
    ("rejected", "last"): "come last",
    ("theta_over", "crawl"): "an earlier crawl",
    ("theta_over", "given"): "the number given as θ",
    ("topicality", "calibrated"): "as a probability",
    ("topicality", "sigmoid"): "by the paper’s sigmoid",
    ("weighting", "smart"): "LC’s weights",
    ("weighting", "tfc"): "SLC’s weights",
    ("weighting", "tfipndf"): "SLC’s weights by class",
}


def title_of(strategy: str, name: str) -> str:
    """The title of a parameter; by default its own name in words."""
    words = OWN_TITLES.get((strategy, name)) or TITLES.get(name)
    return words or name.replace("_", " ")


def choice_words(name: str, value: str) -> str:
    """The title of a parameter's choice, with the name that help and commands use; strategies by
    their titles."""
    if name in ("guide", "members"):
        return ", ".join(strategy(each).title for each in value.split())
    words = CHOICES.get((name, value))
    return f"{words} ({value.replace('_', ' ')})" if words else value.replace("_", " ")
