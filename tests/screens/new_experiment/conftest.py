"""A small web with two topics on it."""

from tests.experiment_fixtures import owner, topics, web  # noqa: F401
