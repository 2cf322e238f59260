"""The filters of a list of crawls, one file each, listed in the catalogue."""
