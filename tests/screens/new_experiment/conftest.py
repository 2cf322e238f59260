"""A small web with two topics on it."""

from tests.experiments.conftest import owner, topics, web  # noqa: F401
