"""An attempt for somebody who has no rig: a bundle, a script, a HAR, a report for a ticket; without secrets."""
