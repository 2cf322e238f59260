"""The filters of a collection: one file each, and a line in the catalogue.

All that is known of a filter stands in its class: its parameters of the address and of the API,
what they may be, the condition in SQL, the counts beside it, what the screens say and show of it.
List, counts, downloads, API and help read the catalogue.
"""
