"""The models of a topic as it was frozen."""

from __future__ import annotations

from collections.abc import Mapping

from apps.engine.intelligence.classifying.trained import TrainedModels
from apps.engine.intelligence.topic_model import TopicModel
from apps.topics.inputs.crawl_input import Frozen
from apps.topics.inputs.freezing import supply
from apps.topics.models import TopicSnapshot
from apps.topics.snapshots import engine_topic
from apps.topics.stored_texts import StoredTexts, forget_texts


def topic_model(
    frozen: TopicSnapshot,
    inputs: Mapping[str, Frozen],
    random_seed: int,
    main_text: bool,
    trained: TrainedModels,
) -> TopicModel:
    """The models of the topic with its frozen inputs, that judge pages by their main text or by all
    of it. Its texts are stored when they are read for the first time, so that its pages are parsed
    only if more of them is asked for.

    Raises BadWebFile if a stored page is gone or damaged.
    """
    stored = StoredTexts(frozen.topic_id, [frozen.format, frozen.data, main_text, inputs])
    texts = stored.read()
    given = engine_topic(frozen, main_text, texts and texts["examples"])
    topic = supply(given, frozen.topic_id, inputs)
    model = TopicModel(topic, seed=random_seed, trained=trained, state=texts)
    if texts is None:
        stored.write(model.state())
        # Whoever erases a page changes the snapshots, then deletes such files.
        if TopicSnapshot.objects.get(pk=frozen.pk).data != frozen.data:
            forget_texts(frozen.topic_id)
    return model
