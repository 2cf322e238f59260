"""Evidence from texts: the guide's judgements of pages and of their links, for `LinkKnowledge`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.intelligence.classifying.classifiers import TextClassifier
from apps.engine.intelligence.cold_start.cold_start import BASES, Basis, ColdStart
from apps.engine.intelligence.cold_start.page_readings import PageReading, PageReadings
from apps.engine.intelligence.evidence.text_reader import (
    TextReader,
    bounded_odds_of,
    distinct_links,
)
from apps.engine.intelligence.strategies.classified import topicality
from apps.engine.intelligence.strategies.weighted_evidence import WeightedEvidence
from apps.engine.model import Floats, Judgement, Longs, Spans, Visit
from apps.engine.parsing.contexts.window import window


class TextEvidence(WeightedEvidence):
    """A strategy whose evidence on a link is what a guide makes of texts.

    The guide is the topic's `classifier_` or, for a topic without examples, its words (`words_`);
    `texts_` reads pages and links by it. `site_lists_` are sitemaps and feeds, whose links count
    but whose own text is not judged. `fit` of the strategy makes all of them.
    """

    window: int
    words_: ColdStart | None
    classifier_: TextClassifier
    texts_: TextReader
    site_lists_: PageReadings

    @property
    def basis(self) -> Basis:
        """The basis on which texts are judged now."""
        return "examples" if self.words_ is None else self.words_.basis

    def judge(self, visit: Visit) -> Judgement:
        if self.words_ is not None:
            return Judgement(topicality=self.words_.list_chance(visit.page()))
        return Judgement(
            topicality=self.classifier_.of_pages.recall(
                visit.document.key, lambda: self._chance_of_page(visit)
            )
        )

    def topicality_at_end(self) -> dict[int, float]:
        return {} if self.words_ is None else self.words_.chances_at_end()

    def context(self, visit: Visit) -> Spans:
        return window(visit.document, self.window)

    def basis_of(self, telemetry: Mapping[str, float]) -> Basis:
        return BASES[int(telemetry["basis"])] if "basis" in telemetry else self.basis

    def learn_site_list(self, visit: Visit, number: int) -> bool:
        self._add_links(replace(visit, url_number=number), is_page=False)
        return True

    def _add_links(self, visit: Visit, is_page: bool = True) -> None:
        """Adds the links of a page, or of a site list, whose text is not judged."""
        links = distinct_links(visit)
        new = self._new(visit, links)
        texts, addresses = self._read(visit, new)
        self.knowledge_.add(visit.url_number, visit.link_numbers[links], texts[links])
        if self.words_ is not None:
            judges = is_page and visit.document.can_be_judged
            self.words_.remember(PageReading.of(visit, links, texts[links], judges))
        elif not is_page:
            self.site_lists_.add(PageReading.of(visit, links, texts[links], judges=False))
        self.knowledge_.name(visit.link_numbers[new], [visit.links.urls[i] for i in new], addresses)

    def _parts(self, visit: Visit) -> NDArray[np.float64]:
        """One row for each of the page's links, whether the page has been learned from or not."""
        if self.knowledge_.siblings.knows(visit.url_number):
            return self.knowledge_.parts(visit.link_numbers)
        new = self._new(visit, np.arange(len(visit.links)))
        texts, odds = self._read(visit, new)
        addresses = np.zeros(len(visit.links))
        addresses[new] = odds
        return self.knowledge_.parts(visit.link_numbers, np.column_stack((texts, addresses)))

    def _read(self, visit: Visit, new: Longs) -> tuple[NDArray[np.float64], Floats]:
        """The evidence that the page adds to each of its links, and the log-odds of the words in
        the `new` links' addresses."""
        page = bounded_odds_of(topicality(visit)) if self.words_ is None else None
        return self.texts_.link_texts(visit, new, page)

    def _tau(self, visit: Visit) -> float:
        """The page's judgement by which links are followed; labels do not rescale it."""
        if self.words_ is None:
            return topicality(visit)
        return self._chance_of_page(visit)

    def _new(self, visit: Visit, links: Longs) -> Longs:
        """The page's links to URLs to which no other page links so far."""
        urls = visit.link_numbers[links]
        new: Longs = links[(urls >= 0) & (self.knowledge_.texts.links(urls) == 0)]
        return new

    def _chance_of_page(self, visit: Visit) -> float:
        texts = self.texts_.read(visit, self._new(visit, distinct_links(visit)))
        return float(logistic(np.array(texts.of_page.page)))
