"""Our client with an agent on the Python SDK, which knows nothing but version 1 of the protocol."""
