"""The built-in demo agent: a real ACP v2 agent in a process of its own, without model and network.

`behaviour` and `scenes` are the demo; `acp_tui.agent_side` keeps the protocol for it.
"""
