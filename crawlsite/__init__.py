"""The Django project."""

VERSION = "0.1.0"
