"""A topic's corpus: unlabelled documents of its field, as token rows (HCLA §4)."""

from __future__ import annotations

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Document, TokenRows
from apps.engine.representation.terms import most_frequent, only


def corpus_rows(topic: TopicModel, terms: int) -> TokenRows:
    """The documents with any of the corpus's `terms` most frequent terms, one row each.

    Raises NeedsMissing if the topic has no corpus.
    """
    return corpus_texts(topic, terms)[0]


def corpus_texts(
    topic: TopicModel, terms: int, examples: bool = False
) -> tuple[TokenRows, tuple[Document, ...]]:
    """The rows of `corpus_rows` and the document of each; with `examples`, followed by those of the
    positive examples.
    """
    urls = {document.url for document in topic.topic.corpus}
    more = [
        example.document
        for example in topic.topic.training
        if examples and example.relevant and example.document.url not in urls
    ]
    texts = (*topic.topic.corpus, *more)
    rows = TokenRows.of([topic.tokens(document) for document in texts])
    if not topic.topic.corpus or not rows.ids.size:
        raise NeedsMissing(Need.CORPUS, "needs a corpus of unlabelled documents")
    rows = only(rows, most_frequent(rows, terms))
    filled = [i for i in range(len(rows)) if rows.row(i).size]
    documents = tuple(texts[i] for i in filled)
    return TokenRows.of([rows.row(i) for i in filled]), documents
