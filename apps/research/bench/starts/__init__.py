"""What it takes a crawl to start and to end: a part of `manage.py bench`."""
