"""What the client and its user need beside the protocol, each small and on its own: files to mention, rules,
risks of commands, forms, known agents.
"""
