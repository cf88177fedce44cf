"""Sheets on which people grade a run blind, and what comes back: triage levels, and lines left to a person."""
