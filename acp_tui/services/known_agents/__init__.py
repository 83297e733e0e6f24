"""Agents that can be started by a short name, and how."""
