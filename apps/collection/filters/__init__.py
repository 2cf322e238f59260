"""The filters of a collection, one file each, listed in the catalogue.

A filter's class holds everything about it: its parameters in the address and the API, their valid
values, the condition in SQL, the counts beside it, and its texts on the screens. List, counts,
downloads, API and help read the catalogue.
"""
