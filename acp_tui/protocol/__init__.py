"""What the wire says: JSON-RPC, and the one vocabulary of ACP v2 in which everything above speaks; v1 is
translated at this edge. No input, no output.
"""
