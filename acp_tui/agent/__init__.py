"""The other end of the connection: the process and all it started, its pipes, the clock, and the pump between
them, the journal and the client.
"""
