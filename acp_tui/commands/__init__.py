"""The subcommands of `acp-tui`, and what they have in common. Each is loaded only when it is called."""
