"""How well the strategies do on webs of several makes, and which weights the learner starts at.

Each study is a folder: `study` runs it, `result` is what is saved, `section` what
docs/effectiveness.md has of it.
"""
