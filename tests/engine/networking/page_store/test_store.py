from __future__ import annotations

import io
import string
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from apps.engine.answers import Answer
from apps.engine.errors import BadWebFile
from apps.engine.networking.page_store.records import digest_of
from apps.engine.networking.page_store.store import PageStore, PageStoreWriter, Record

ANSWER = Answer(
    url="http://h.test/a",
    final_url="http://h.test/c",
    status=200,
    headers=(
        ("Content-Type", "text/html"),
        ("Content-Encoding", "gzip"),
        ("Content-Length", "7"),
        ("Transfer-Encoding", "chunked"),
        ("X-Name", "café"),
    ),
    body=b"<p>hello\r\n\r\nworld",
    hops=("http://h.test/b",),
    truncated=True,
    fetched_at=1_700_000_000.123456,
    seconds=0.25,
)

header_names = st.text(string.ascii_letters + string.digits + "-", min_size=1, max_size=20).filter(
    lambda name: not name.lower().startswith("x-original-")
)
header_values = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\x85\u2028"), max_size=60
).map(str.strip)
paths = st.text(string.ascii_letters + string.digits + "-._~%/?=&", max_size=30)
addresses = paths.map(lambda path: f"http://h.test/{path}")
answers = st.builds(
    Answer,
    url=addresses,
    final_url=addresses,
    status=st.integers(100, 999),
    headers=st.lists(st.tuples(header_names, header_values), max_size=6).map(tuple),
    body=st.binary(max_size=400),
    hops=st.lists(addresses, max_size=3).map(tuple),
    failure=st.sampled_from([None, "http_404", "block_page"]),
    truncated=st.booleans(),
    fetched_at=st.floats(0, 4e9),
    seconds=st.floats(0, 1e4),
    retry_after=st.none() | st.floats(0, 1e6),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(answers, min_size=1, max_size=4))
def test_answers_come_back_as_they_went_in(tmp_path_factory, kept):
    directory = tmp_path_factory.mktemp("store")
    writer = PageStoreWriter(directory / "one.warc.gz")
    records = [writer.append(answer) for answer in kept]
    writer.close()
    store = PageStore(directory)
    assert [store.read(record) for record in reversed(records)] == kept[::-1]
    store.close()


def test_other_tools_read_the_records(tmp_path):
    with_headers = replace(ANSWER, hops=())
    writer = PageStoreWriter(tmp_path / "one.warc.gz")
    record = writer.append(with_headers)
    writer.close()
    data = (tmp_path / "one.warc.gz").read_bytes()
    kinds = []
    for one in ArchiveIterator(io.BytesIO(data), check_digests="raise"):
        kinds.append(one.rec_type)
        if one.rec_type == "response":
            assert one.rec_headers.get_header("WARC-Target-URI") == "http://h.test/c"
            assert one.rec_headers.get_header("WARC-Date") == "2023-11-14T22:13:20.123456Z"
            assert one.rec_headers.get_header("Crawl-Asked") == "http://h.test/a"
            assert one.rec_headers.get_header("WARC-Payload-Digest") == record.digest
            assert one.http_headers.get_header("Content-Length") == str(len(ANSWER.body))
            assert one.http_headers.get_header("Content-Encoding") is None
            assert one.http_headers.get_header("Transfer-Encoding") is None
            assert one.http_headers.get_header("X-Original-Content-Encoding") == "gzip"
            assert one.content_stream().read() == ANSWER.body
    assert kinds == ["warcinfo", "response"]


def test_a_record_states_where_it_is_and_what_it_holds(tmp_path):
    writer = PageStoreWriter(tmp_path / "one.warc.gz")
    first, second = writer.append(ANSWER), writer.append(ANSWER)
    assert first.file == "one.warc.gz"
    assert second.offset == first.offset + first.length
    assert first.digest == second.digest == digest_of(ANSWER.body)
    assert (tmp_path / "one.warc.gz").stat().st_size == second.offset + second.length
    writer.close()


def test_a_torn_last_record_harms_no_other(tmp_path):
    path = tmp_path / "one.warc.gz"
    writer = PageStoreWriter(path)
    whole, torn = writer.append(ANSWER), writer.append(ANSWER)
    writer.close()
    path.write_bytes(path.read_bytes()[: torn.offset + torn.length // 2])
    store = PageStore(tmp_path)
    assert store.read(whole) == ANSWER
    with pytest.raises(BadWebFile, match=r"one\.warc\.gz"):
        store.read(torn)


@pytest.mark.parametrize(
    "record",
    [
        Record("missing.warc.gz", 0, 10, ""),
        Record("one.warc.gz", 3, 40, ""),
        Record("one.warc.gz", 10**9, 10, ""),
    ],
)
def test_what_cannot_be_read_is_reported(tmp_path, record):
    writer = PageStoreWriter(tmp_path / "one.warc.gz")
    writer.append(ANSWER)
    writer.close()
    with pytest.raises(BadWebFile):
        PageStore(tmp_path).read(record)


def test_the_first_record_is_no_answer(tmp_path):
    writer = PageStoreWriter(tmp_path / "one.warc.gz")
    first = writer.append(ANSWER)
    writer.close()
    with pytest.raises(BadWebFile):
        PageStore(tmp_path).read(Record("one.warc.gz", 0, first.offset, ""))


def test_nobody_writes_into_anothers_file(tmp_path):
    PageStoreWriter(tmp_path / "one.warc.gz").close()
    with pytest.raises(FileExistsError):
        PageStoreWriter(tmp_path / "one.warc.gz")


def test_an_answer_without_a_status_is_no_record(tmp_path):
    writer = PageStoreWriter(tmp_path / "one.warc.gz")
    with pytest.raises(ValueError, match="answer of a server"):
        writer.append(Answer("u", "u", failure="dns"))
    writer.close()


def test_headers_cannot_smuggle_lines(tmp_path):
    nasty = replace(ANSWER, headers=(("X-A", "b\r\nX-Evil: yes"), ("Y\n\n", "z")), hops=())
    writer = PageStoreWriter(tmp_path / "one.warc.gz")
    record = writer.append(nasty)
    writer.close()
    back = PageStore(tmp_path).read(record)
    assert back.header("X-Evil") is None and back.body == ANSWER.body


def test_a_full_disk_leaves_only_whole_records(tmp_path):
    writer = PageStoreWriter(tmp_path / "one.warc.gz")
    first = writer.append(ANSWER)
    real = writer._file

    class Full:
        """Takes ten bytes of whatever comes, then has no room."""

        def write(self, data: memoryview) -> int:
            real.write(bytes(data[:10]))
            raise OSError(28, "No space left on device")

        def __getattr__(self, name: str):
            return getattr(real, name)

    writer._file = Full()
    with pytest.raises(OSError, match="No space"):
        writer.append(ANSWER)
    writer._file = real
    second = writer.append(ANSWER)
    writer.close()
    assert second.offset == first.offset + first.length
    assert PageStore(tmp_path).read(second) == ANSWER


def test_synced_records_can_be_read_while_the_file_grows(tmp_path):
    writer = PageStoreWriter(tmp_path / "one.warc.gz")
    store = PageStore(tmp_path)
    for i in range(5):
        answer = replace(ANSWER, body=b"page %d" % i)
        record = writer.append(answer)
        writer.sync()
        assert store.read(record) == answer
    writer.close()
    writer.close()


def test_many_files_and_threads_share_a_store(tmp_path: Path):
    records = []
    for i in range(80):
        writer = PageStoreWriter(tmp_path / f"{i}.warc.gz")
        records.append((i, writer.append(replace(ANSWER, body=b"page %d" % i))))
        writer.close()
    store, wrong = PageStore(tmp_path), []

    def read() -> None:
        for i, record in records:
            if store.read(record).body != b"page %d" % i:
                wrong.append(i)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    store.close()
