"""The filters of a list of topics, one file each, listed in the catalogue."""
