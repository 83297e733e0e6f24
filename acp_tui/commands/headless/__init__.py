"""One prompt without a screen, for scripts, pipes and screen readers: `acp-tui run`."""
