"""Lists that are searched: filters with their panels and chips, the query language, orders.

A list has a catalogue of filters, one file each, and a `Search` of its own. A filter's class holds
everything about it: its parameters in the address and the API, their valid values, the condition,
the control beside the list, and its texts on the screens.
"""
