"""Recorded conversations, and what is asked at their end: which units are kept for it."""
