"""How well the strategies do on webs of several makes, and which weights the learner starts at.

Each study is a folder: `study` runs it, `result` is its saved form, `section` writes its part of
docs/effectiveness.md.
"""
