"""The filters of a list of hosts, one file each, listed in the catalogue."""
