"""The client as a machine without input and output: messages and intents go in, effects come out."""
