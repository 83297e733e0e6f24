"""The ACP half: an agent on stdio whose tool calls are the actions of a gateway."""
