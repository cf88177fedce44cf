"""Two journeys side by side, four choices: blinded pairs, people's and a judge's choices, and what they come to."""
