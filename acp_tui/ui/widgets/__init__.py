"""What screens are made of. A widget shows what the store or its owner knows, and asks by a message."""
