"""How well the strategies do on webs of several makes, and which weights the learner starts at."""
