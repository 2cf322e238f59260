"""JSON as people send it: in files and in fields of forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from apps.engine.file_faults import fault_words
from apps.schemas.refused import Refused


def read_json(text: bytes | str, name: str = "This") -> Any:
    """The value of the text, read as UTF-8. Raises Refused with the position of the fault."""
    try:
        return json.loads(text.decode("utf-8-sig") if isinstance(text, bytes) else text)
    except (ValueError, RecursionError) as error:
        raise Refused("", f"{name} is not JSON: {fault_words(error)}.") from None


def read_file(path: Path) -> Any:
    """Reads a JSON file. Raises Refused if it cannot be opened or is not JSON."""
    try:
        return read_json(path.read_bytes(), path.name)
    except OSError as error:
        raise Refused("", f"{path} cannot be opened: {error.strerror}.") from None
