"""The built-in demo agent: a real ACP v2 agent in a process of its own, without model and network.

`runtime` keeps the protocol for any agent, `behaviour` and `scenes` are the demo.
"""
