"""A small gateway of our own, on this machine only: to try the bridge out, and under its tests.

It behaves as one public reference server was seen to behave; it is no reference for anything.
"""
