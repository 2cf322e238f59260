"""The base class of strategies that use a classifier trained on whole pages."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from apps.engine.codes import Need
from apps.engine.intelligence.classifying.text_scoring import page_probability
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.parameters import ChoiceOf, Parameter
from apps.engine.intelligence.strategies.relearns import Reads, Relearns
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Judgement, Visit
from apps.engine.representation.weightings import WEIGHTINGS

Classifier = Literal["svm", "nb", "nn"]
Weighting = Annotated[str, ChoiceOf(lambda: WEIGHTINGS)]
Idf = Literal["examples", "background"]


LATENT = Parameter(
    name="latent",
    kind="bool",
    default=False,
    effect="whether a text's coordinates along the main directions of the background stand beside"
    " its terms (LSI), and an SVM has a soft margin; needs a background.",
)


class Classified(Explains, Relearns):
    """A strategy with the topic's page classifier, whose P(c|u) is τ.

    Parameters:
        classifier: the model that scores text; svm and nn did better than nb in LC Fig. 4.
        weighting: how terms are weighted; smart is LC's, tfc SLC's, tfipndf SLC's by class.
        idf: the texts for document frequencies; background adds the unlabelled pages.
    """

    needs = frozenset({Need.EXAMPLES})
    reads: ClassVar[Reads] = "text"
    shared: ClassVar[tuple[Parameter, ...]] = (LATENT,)
    latent: bool = LATENT.default

    def __init__(
        self,
        *,
        classifier: Classifier = "svm",
        weighting: Weighting = "smart",
        idf: Idf = "examples",
    ) -> None:
        self.classifier = classifier
        self.weighting = weighting
        self.idf = idf

    def needed(self) -> frozenset[Need]:
        wider = self.latent or self.idf == "background"
        return self.needs | {Need.BACKGROUND} if wider else self.needs

    def fit(self, topic: TopicModel) -> Self:
        self.classifier_ = topic.classifier(
            self.classifier, self.weighting, self.idf, latent=self.latent
        )
        return self

    def judge(self, visit: Visit) -> Judgement:
        return Judgement(topicality=page_probability(self.classifier_, visit))

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        return {"P(c|u)": topicality(visit)}


def topicality(visit: Visit) -> float:
    """The τ of a judged page."""
    if visit.topicality is None:
        raise ValueError(f"{visit.url} has not been judged")
    return visit.topicality
