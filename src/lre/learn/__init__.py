"""Learning from logs; nothing here is imported when a history is trimmed."""
