"""Gateways of the Agent Interoperability Protocol (AIP 1.0) behind the screen of an ACP agent.

`core` is pure: what the gateway's words mean; `kept` is what lasts on disk; `gateway` talks HTTP. Facts that
only the source of one public reference server shows are defaults that can be changed, never law.
"""
