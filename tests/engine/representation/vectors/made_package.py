"""Installed packages made by tests, with small vectors inside."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

ROWS = {"heat": (1, 0, 0.1), "warmth": (1, 0, 0.2), "pump": (0, 1, 0)}


def install_vectors(site: Path, name: str, stated: str = "License: MIT License") -> None:
    """A package of version 1.2 with WordLlama's two files, which cannot be imported."""
    module = name.replace("-", "_")
    (site / module / "weights").mkdir(parents=True)
    (site / module / "tokenizers").mkdir()
    (site / module / "__init__.py").write_text("raise ImportError('its loader is not to run')\n")
    rows = np.array(list(ROWS.values()), np.float16)
    entry = {"dtype": "F16", "shape": rows.shape, "data_offsets": [0, rows.nbytes]}
    header = json.dumps({"embedding.weight": entry}).encode()
    size = len(header).to_bytes(8, "little")
    (site / module / "weights" / "small_3.safetensors").write_bytes(size + header + rows.tobytes())
    vocabulary = {f"▁{word}": number for number, word in enumerate(ROWS)}
    tokenizer = json.dumps({"model": {"vocab": vocabulary}})
    (site / module / "tokenizers" / "small_tokenizer_config.json").write_text(tokenizer)
    files = (
        "__init__.py",
        "weights/small_3.safetensors",
        "tokenizers/small_tokenizer_config.json",
    )
    _write_information(site, name, stated, [f"{module}/{file}" for file in files])


def install_without(site: Path, name: str) -> None:
    """A package that has no vectors."""
    _write_information(site, name, "License: MIT License", [])


def _write_information(site: Path, name: str, stated: str, files: list[str]) -> None:
    information = site / f"{name.replace('-', '_')}-1.2.dist-info"
    information.mkdir(parents=True)
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n{stated}\n"
    (information / "METADATA").write_text(head)
    lines = [*files, f"{information.name}/METADATA", f"{information.name}/RECORD"]
    (information / "RECORD").write_text("".join(f"{line},,\n" for line in lines))
