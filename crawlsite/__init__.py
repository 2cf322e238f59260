"""The Django project, and the version of the whole."""

__version__ = "0.1.0"
