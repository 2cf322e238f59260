"""A month of a watch over a made web that changes, in simulated time: what it sees and costs.

`changing_web` is the web and its script, `month` crawls it once and visits it until the script
ends, `result` is what that has shown. `policies` runs a month by a policy in a process on a data
folder of its own, which is deleted; a `MonthRun` of a person is several of them, one after the
other (`tasks`).
"""
