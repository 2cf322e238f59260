"""The schemas of all input: forms, the API, files and commands check it by the same ones.

`input` is the base of every schema. A schema refuses input with a sentence at a field.
"""
