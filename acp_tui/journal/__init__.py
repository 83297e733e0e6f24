"""What is kept: every message, sessions folded from them, the library and its index, and files for others."""
