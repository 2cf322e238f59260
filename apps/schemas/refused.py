"""What a schema refuses; without a schema, so that a crawl can refuse too and loads none."""

from __future__ import annotations


class Refused(Exception):
    """Input that a schema refuses; `field` names the wrong field, `message` the error and the
    accepted values. As text it is both."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field
        self.message = message
