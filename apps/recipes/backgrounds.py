"""The background in a recipe: packed with its texts, looked up or stored at the import."""

from __future__ import annotations

import base64
import binascii
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User

from apps.background_sources.keeping import keep_of_recipe
from apps.backgrounds.models import Background
from apps.backgrounds.selectors import version_of_digest
from apps.engine.errors import BadWebFile
from apps.engine.representation.bags import Bags, read_bags
from apps.recipes.schemas import PackedBackground
from apps.schemas.refused import Refused
from apps.topics.examples.page_store import topic_file
from apps.topics.inputs.background import chosen_version, freeze
from apps.topics.models import Topic

MOST_BYTES = 200 * 2**20
Use = Topic.BackgroundUse


def background_part(topic_id: int, given: Mapping[str, Any]) -> PackedBackground | None:
    """The background that a crawl was given, or by which its negatives were drawn or its targets
    counted, or None if it has none. Raises OSError if its file cannot be read."""
    parts = (given.get(id) or {} for id in ("background", "sampled_negatives", "counted_targets"))
    frozen = next((each for each in parts if "file" in each or each.get("of") == "none"), None)
    if frozen is None:
        return None
    if frozen["of"] == "none":
        return PackedBackground(use="none")
    data = topic_file(topic_id, frozen["file"]).read_bytes()
    return PackedBackground(
        name=frozen.get("name", ""),
        digest=frozen["digest"],
        data=base64.b64encode(zlib.compress(data)).decode(),
    )


def background_for(owner: User, part: PackedBackground | None) -> Background | None:
    """The owner's background of those texts, or a new one. Raises Refused for damaged texts."""
    if part is None or part.use == "none":
        return None
    existing = version_of_digest(owner, part.digest)
    if existing is not None and existing.background.ready == existing:
        return existing.background
    texts = _texts(part)
    if texts.digest() != part.digest:
        raise Refused(
            "background", "The texts do not match their digest: download the recipe again."
        )
    try:
        return keep_of_recipe(owner, part.name, texts)
    except OSError:
        raise Refused(
            "background", "The disk is full: free some space, then import it again."
        ) from None


def uses(topic: Topic, part: PackedBackground | None) -> bool:
    """Whether crawls of the topic are given that background already."""
    if part is None:
        return True
    if part.use == "none":
        return chosen_version(topic) is None and topic.background_use == Use.NONE
    if (version := chosen_version(topic)) is not None:
        return version.digest == part.digest
    try:
        return freeze(topic).get("digest") == part.digest
    except (BadWebFile, OSError):
        return False


def _texts(part: PackedBackground) -> Bags:
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(base64.b64decode(part.data, validate=True), MOST_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        raise Refused(
            "background", "Its texts cannot be decompressed: download the recipe again."
        ) from None
    if reader.unconsumed_tail:
        raise Refused("background", f"Its texts are larger than {MOST_BYTES >> 20} MB.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.npz"
        path.write_bytes(data)
        try:
            return read_bags(path)
        except BadWebFile as error:
            raise Refused("background", f"{error.detail[:1].upper()}{error.detail[1:]}.") from None
