"""Word vectors of made files, and the words that are near by them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from apps.engine.representation.vectors.reading import BadVectors, read_vectors

WORDS = {
    "heat": (1, 0, 0.1),
    "warmth": (1, 0, 0.2),
    "pump": (0, 1, 0),
    "Moon": (-1, 0, 1),
    "of": (1, 0, 0.1),
}
TEXT = "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in WORDS.items())


def a_folder(path: Path, vocabulary: object, kind: str = "F32") -> Path:
    rows = np.array(list(WORDS.values()), np.float32 if kind == "F32" else np.float16)
    entry = {"dtype": kind, "shape": rows.shape, "data_offsets": [0, rows.nbytes]}
    header = json.dumps({"embeddings": entry}).encode()
    path.mkdir()
    (path / "model.safetensors").write_bytes(
        len(header).to_bytes(8, "little") + header + rows.tobytes()
    )
    (path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocabulary}}))
    return path


def test_a_text_file_with_or_without_its_size_or_gzipped_is_read(tmp_path: Path) -> None:
    plain, sized, packed = (tmp_path / name for name in ("a.txt", "b.vec", "c.txt.gz"))
    plain.write_text(TEXT)
    sized.write_text("5 3\n" + TEXT)
    packed.write_bytes(gzip.compress(TEXT.encode()))
    for path in (plain, sized, packed):
        assert read_vectors(path).near("heat", 5) == ["warmth"]


@pytest.mark.parametrize("kind", ["F32", "F16"])
@pytest.mark.parametrize(
    "vocabulary",
    [
        {word: i for i, word in enumerate(WORDS)},
        [[f"▁{word}", -1.0] for word in WORDS],
    ],
)
def test_a_model2vec_folder_is_read(tmp_path: Path, vocabulary: object, kind: str) -> None:
    vectors = read_vectors(a_folder(tmp_path / "model", vocabulary, kind))
    assert vectors.near("heat", 5) == ["warmth"]
    assert vectors.near("heat pump", 5) == ["warmth"]
    assert vectors.near("quasar", 5) == []


def test_wordllamas_two_files_are_read(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "model", {f"▁{word}": i for i, word in enumerate(WORDS)})
    model = (folder / "model.safetensors").read_bytes()
    size = int.from_bytes(model[:8], "little")
    header = model[8 : 8 + size].replace(b"embeddings", b"embedding.weight")
    (folder / "model.safetensors").unlink()
    (folder / "l2_256.safetensors").write_bytes(
        len(header).to_bytes(8, "little") + header + model[8 + size :]
    )
    (folder / "tokenizer.json").rename(folder / "l2_tokenizer_config.json")
    assert read_vectors(folder).near("heat", 5) == ["warmth"]


def test_a_folder_without_one_of_the_files_or_without_vectors_is_refused(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "model", {"heat": 0})
    (folder / "model.safetensors").write_bytes((2).to_bytes(8, "little") + b"{}")
    with pytest.raises(BadVectors, match="is neither"):
        read_vectors(folder)
    (folder / "model.safetensors").unlink()
    with pytest.raises(BadVectors, match="is neither"):
        read_vectors(folder)


def test_parts_of_words_and_marks_are_no_words(tmp_path: Path) -> None:
    tokens = ["heat", "##warmth", "[UNK]", "12", "of"]
    vectors = read_vectors(a_folder(tmp_path / "model", {t: i for i, t in enumerate(tokens)}))
    assert list(vectors.listed) == ["heat", "of"]


@pytest.mark.parametrize("content", ["", "no numbers here\n", "heat 1 nan\n", "a 1 2\nb 1\n"])
def test_other_files_are_refused_by_a_sentence_that_names_the_setting(
    tmp_path: Path, content: str
) -> None:
    (tmp_path / "x.txt").write_text(content)
    with pytest.raises(BadVectors, match=r"CRAWLSITE_WORD_VECTORS: x\.txt is neither"):
        read_vectors(tmp_path / "x.txt")
    with pytest.raises(BadVectors, match="cannot be read"):
        read_vectors(tmp_path / "missing.txt")


def test_a_folder_whose_numbers_are_cut_off_is_refused(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "model", {"heat": 0})
    model = folder / "model.safetensors"
    model.write_bytes(model.read_bytes()[:-4])
    with pytest.raises(BadVectors, match="is neither"):
        read_vectors(folder)
