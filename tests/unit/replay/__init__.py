"""Replays, forks and people who play."""
