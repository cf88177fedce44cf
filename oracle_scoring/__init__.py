"""Offline scoring: reads records and answers, starts nothing."""
