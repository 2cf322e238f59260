"""The filters of a list of experiments, one file each, listed in the catalogue."""
