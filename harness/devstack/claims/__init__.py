"""The claims domain: what is collected, how answers are read, what is asked next, review, triage, defects."""
