"""Protocol version 1 as a dialect of the one vocabulary: what its agents say becomes what v2 agents say, and
what we say to v2 agents becomes what they understand (V1).

`adapter` is the way in. Each module has one reason to change: `ids` (names we make up), `memory` (what has to
be remembered between two messages), `updates`, `messages`, `tools`, `content`, `diffs`, `terminals` (what
agents tell), `settings` (modes, models, config options), `requests` (what they ask), `results` (what they
answer), `outgoing` (what we say).
"""
