"""Gathers the paragraphs of a document while its elements are walked."""

from __future__ import annotations

from apps.engine.parsing.documents.conversion import Conversion, TextPart


class Paragraphs:
    """Writes paragraphs to a conversion; those inside others (text boxes) stand where they end."""

    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion
        self._pieces: list[TextPart] = []
        self._page = 0
        self.href = ""

    def text(self, text: str) -> None:
        """Adds text to the paragraph, under the link that is open."""
        if text:
            self._pieces.append(TextPart(text, self.href))

    def link(self, href: str) -> None:
        """Opens a link, or with an empty address closes it."""
        self.href = href

    def end(self, tag: str = "p") -> None:
        """Ends the paragraph."""
        self._conversion.add(_joined(self._pieces), tag)
        self._pieces = []

    def take(self) -> list[TextPart]:
        """The pieces since the last paragraph ended, which do not become one."""
        pieces, self._pieces = _joined(self._pieces), []
        return pieces

    def break_page(self) -> None:
        """The next page begins here."""
        self.end()
        self._page += 1
        self._conversion.pages = max(self._conversion.pages, self._page)
        self._conversion.begin_page(self._page)


def _joined(pieces: list[TextPart]) -> list[TextPart]:
    """The pieces, with those of one link as one: programs divide text wherever its form changes."""
    joined: list[TextPart] = []
    for piece in pieces:
        if joined and joined[-1].href == piece.href:
            joined[-1] = TextPart(joined[-1].text + piece.text, piece.href)
        else:
            joined.append(piece)
    return joined
