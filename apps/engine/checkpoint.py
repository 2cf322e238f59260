"""Checkpoint files: an npz of arrays with one JSON document of plain values, never a pickle.

Nested dictionaries, lists and values go into the JSON; each NumPy array becomes an entry of the
npz, named in the JSON. A file gets its name when it is complete on disk.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from apps.engine.durable import sync
from apps.engine.errors import BadCheckpoint

FORMAT = 1


def write(path: Path, state: dict[str, Any]) -> None:
    """Writes `state` durably. Raises OSError if the disk refuses."""
    arrays: dict[str, Any] = {}
    plain = _lift(state, arrays)
    arrays["json"] = np.frombuffer(
        json.dumps({"format": FORMAT, "state": plain}).encode(), dtype=np.uint8
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, **arrays)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync(path.parent)


def read(path: Path, part: str | None = None) -> Any:
    """Returns the state, a dictionary, or with `part` only the value of that key, without reading
    other arrays. Raises BadCheckpoint if the file is damaged or of another format."""
    try:
        with np.load(path, allow_pickle=False) as file:
            whole = json.loads(bytes(file["json"]))
            if whole["format"] != FORMAT:
                raise BadCheckpoint(f"{path.name} has format {whole['format']}, not {FORMAT}")
            state = whole["state"]
            if part is not None:
                state = dict(state["__dict__"])[part]
            return _lower(state, file)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise BadCheckpoint(f"{path.name}: {error}") from error


def _lift(value: Any, arrays: dict[str, Any]) -> Any:
    if isinstance(value, np.ndarray):
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {"__array__": name}
    if isinstance(value, dict):
        # Pairs, since keys may be integers.
        return {"__dict__": [[key, _lift(item, arrays)] for key, item in value.items()]}
    if isinstance(value, list | tuple):
        return [_lift(item, arrays) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    return value


def _lower(value: Any, file: Any) -> Any:
    if isinstance(value, dict):
        if "__array__" in value:
            return file[value["__array__"]]
        return {key: _lower(item, file) for key, item in value["__dict__"]}
    if isinstance(value, list):
        return [_lower(item, file) for item in value]
    return value
