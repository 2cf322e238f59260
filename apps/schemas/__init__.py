"""How what is sent is read: forms, API, files and commands check it by the same schema.

`input` is the base of every schema; what a schema refuses is a sentence at a field.
"""
