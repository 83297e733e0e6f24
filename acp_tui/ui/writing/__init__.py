"""What is being written: what is offered for it and what it mentions, earlier prompts, vi's keys, long texts
in the user's own editor, and what of it goes to the agent. No widgets.
"""
