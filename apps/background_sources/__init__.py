"""The sources of backgrounds: examples, recorded webs, crawls, files and gathered pages."""
