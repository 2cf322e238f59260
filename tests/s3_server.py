"""A server of Amazon's S3 interface (moto) in a process of its own, started by the first test that
needs it."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.running_site import free_port, listens, wait_for

KEY = {"access_key": "crawlsite", "secret_key": "only for tests"}


@dataclass
class S3Server:
    """The server; it forgets everything when it is stopped."""

    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for(lambda: listens(self.port), 30)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    @contextmanager
    def keys_checked(self) -> Iterator[None]:
        """Refuses the keys of nobody, thus all, meanwhile."""
        ask = f"{self.address}/moto-api/reset-auth"
        httpx.post(ask, content=b"0", timeout=60).raise_for_status()
        yield
        httpx.post(ask, content=b"1e9", timeout=60).raise_for_status()

    def options(self, bucket: str) -> dict[str, Any]:
        """Those of `S3Store`."""
        return {
            "bucket_name": bucket,
            "endpoint_url": self.address,
            "region_name": "us-east-1",
            **KEY,
        }

    def environment(self, bucket: str) -> Mapping[str, str]:
        """The settings of a site that uses a bucket."""
        return {
            "CRAWLSITE_S3_BUCKET": bucket,
            "CRAWLSITE_S3_ENDPOINT": self.address,
            "CRAWLSITE_S3_KEY": KEY["access_key"],
            "CRAWLSITE_S3_SECRET": KEY["secret_key"],
            "CRAWLSITE_S3_REGION": "us-east-1",
            "CRAWLSITE_SECRET_KEY": "the same on every machine",
        }

    def new_bucket(self) -> str:
        from apps.stored_files.s3 import S3Store

        name = f"crawlsite-{secrets.token_hex(6)}"
        S3Store(**self.options(name)).bucket.create()
        return name


@pytest.fixture(scope="session")
def s3() -> Iterator[S3Server]:
    server = S3Server(free_port())
    server.start()
    yield server
    server.stop()


@pytest.fixture
def bucket(s3: S3Server, settings, monkeypatch) -> str:
    """The bucket that the settings name."""
    name = s3.new_bucket()
    use_bucket(settings, s3, name)
    monkeypatch.setenv("CRAWLSITE_SECRET_KEY", "the same on every machine")
    return name


def use_bucket(settings, s3: S3Server, bucket: str, **changes: str) -> None:
    """Has this process use a bucket, with some of its options changed."""
    options = {**s3.options(bucket), **changes}
    settings.S3_BUCKET = bucket
    settings.DATABASE_URL = settings.DATABASE_URL or "postgres://"
    settings.STORAGES = {
        **settings.STORAGES,
        "data": {"BACKEND": "apps.stored_files.s3.S3Store", "OPTIONS": options},
    }
