"""A store of files with Amazon's S3 interface, by which many servers are used."""

from __future__ import annotations

from typing import Any

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

CONNECT_SECONDS = 5
READ_SECONDS = 60
TRIES = 3
IN_MEMORY = 8 << 20
"""A larger file is downloaded by way of the disk (bytes)."""


class S3Store(S3Storage):
    """A bucket, or what is below `location` in it. A file is seen whole or not at all.

    `endpoint_url` names another server than Amazon's, whose buckets are parts of the path.
    """

    faults = (BotoCoreError, ClientError, Boto3Error)

    def __init__(self, **settings: Any) -> None:
        style = "path" if settings.get("endpoint_url") else "auto"
        config = Config(
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            retries={"total_max_attempts": TRIES, "mode": "standard"},
            s3={"addressing_style": style},
            # Many servers know no newer ones.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        super().__init__(
            client_config=config,
            file_overwrite=True,
            default_acl=None,
            max_memory_size=IN_MEMORY,
            **settings,
        )
