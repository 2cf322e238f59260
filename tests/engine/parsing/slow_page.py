"""A slow, obvious reading of a page, character by character: the oracle of the fast one.

Takes the mended tag tree as given and works out, for every word, which elements and which leaf it
lies in. Contexts are then sets of word positions, put together as the papers' words have it.
"""

from __future__ import annotations

import re
from typing import Any

from apps.engine.model import Document

RUNS_IN_LINE = {"b", "i", "em", "span", "font", "a"}
HIDDEN = {"script", "style", "noscript", "template"}
NO_CONTENT = {"iframe", "frame", "area", "meta", "base", "link", "title", *HIDDEN}


class SlowPage:
    """`words` of the body; `elements[k]` and `leaf[k]` of body word k; `leaves` in order."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.characters: list[tuple[str, tuple[Any, ...], Any]] = []
        self.leaves: list[tuple[Any, ...]] = []
        self.seen_at: dict[Any, int] = {}
        self._visit(document.tree, ())
        self._find_words()

    def _visit(self, element: Any, above: tuple[Any, ...]) -> None:
        path = (*above, element)
        leaves_before = len(self.leaves)
        link = element.tag == "a" and element.get("href") is not None
        breaks = link or element.tag not in RUNS_IN_LINE
        self._add_text(" " if breaks else "", path)
        self.seen_at[element] = len(self.characters)
        if element.tag not in NO_CONTENT:
            self._text(element.text, path)
            for child in element:
                self._visit(child, path)
                self._text(child.tail, path)
        if len(self.leaves) == leaves_before and element.tag not in HIDDEN:
            self.leaves.append(path)
        self._add_text(" " if breaks else "", path)

    def _text(self, text: str | None, path: tuple[Any, ...]) -> None:
        if text and text.strip():
            self.leaves.append(path)
        self._add_text(text or "", path)

    def _add_text(self, text: str, path: tuple[Any, ...]) -> None:
        leaf = len(self.leaves) - 1
        self.characters += [(character, path, leaf) for character in text if character != "\xad"]

    def _find_words(self) -> None:
        text = "".join(character for character, _, _ in self.characters)
        self.words, self.begins = [], []
        self.elements: list[set[Any]] = []
        self.leaf: list[int] = []
        for match in re.finditer(r"[^\W_]+", text):
            self.words.append(match[0].lower())
            self.begins.append(match.start())
            paths = [path for _, path, _ in self.characters[match.start() : match.end()]]
            self.elements.append({element for path in paths for element in path})
            self.leaf.append(self.characters[match.start()][2])

    def position(self, j: int) -> int:
        """How many body words begin before occurrence j."""
        position = self.seen_at[self.document.links.nodes[j]]
        return sum(begin < position for begin in self.begins)

    def inside(self, element: Any) -> set[int]:
        """The body words that lie in an element, at least in part."""
        return {k for k, elements in enumerate(self.elements) if element in elements}

    def substitute(self, j: int) -> set[int]:
        """The document's positions of alt and title words of occurrence j."""
        links, visible = self.document.links, self.document.visible
        return {k for k in range(links.anchor_start[j], links.anchor_end[j]) if k >= visible}

    def anchor(self, j: int) -> set[int]:
        return self.shown(self.inside(self.document.links.nodes[j])) | self.substitute(j)

    def shown(self, body_words: set[int]) -> set[int]:
        """As positions in the document."""
        return {k + self.document.text_start for k in body_words}

    def window(self, j: int, size: int, fill: bool) -> set[int]:
        anchor = sorted(self.inside(self.document.links.nodes[j]))
        position = self.position(j)
        left = list(range(position))[::-1]
        right = list(range(position + len(anchor), len(self.words)))
        before, after = left[: size // 2], right[: size - size // 2]
        if fill:
            before = left[: size - len(right[: size - size // 2])]
            after = right[: size - len(left[: size // 2])]
        return self.shown({*before, *anchor, *after}) | self.substitute(j)

    def tag_tree(self, j: int, least: int) -> set[int]:
        """Before the truncation."""
        substitute = self.substitute(j)
        node = self.document.links.nodes[j]
        while True:
            words = self.shown(self.inside(node)) | substitute
            if node is self.document.tree:
                return words | set(range(self.document.text_start))
            if len(words) > least:
                return words
            node = node.getparent()

    def aggregation(self, target: int, other_anchors: bool, levels: int, most: int) -> set[int]:
        links = self.document.links
        own = [j for j in range(len(links.target)) if links.target[j] == target]
        text: set[int] = set()
        for j in own:
            node = links.nodes[j]
            for _ in range(levels):
                node = node.getparent() if node.getparent() is not None else node
            block = self.shown(self.inside(node))
            if node is self.document.tree:
                block |= set(range(self.document.text_start))
            first = self.document.text_start + self.position(j)
            end = first + len(self.inside(links.nodes[j]))
            text |= {k for k in block if first - most // 2 <= k < end + most // 2}
        if not other_anchors:
            for anchor in self.document.tree.iter("a"):
                if anchor.get("href") is not None:
                    text -= self.shown(self.inside(anchor))
        return text.union(*(self.anchor(j) for j in own))

    def dom_offsets(self, j: int, dmax: int) -> set[tuple[int, int]]:
        """Pairs of a word's position and its offset."""
        element = self.document.links.nodes[j]
        own = [m for m, path in enumerate(self.leaves) if element in path]
        placed = [(k + self.document.text_start, m) for k, m in enumerate(self.leaf)]
        placed += [(k, self._title_leaf()) for k in range(self.document.text_start)]
        pairs = {(k, 0) for k in self.substitute(j)}
        for k, m in placed:
            offset = min(m - own[0], 0) + max(m - own[-1], 0)
            if abs(offset) <= dmax:
                pairs.add((k, offset))
        return pairs

    def _title_leaf(self) -> int:
        return next(m for m, path in enumerate(self.leaves) if path[-1].tag == "title")
