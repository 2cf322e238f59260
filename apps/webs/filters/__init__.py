"""The filters of the list of recorded webs, one file each, listed in the catalogue."""
