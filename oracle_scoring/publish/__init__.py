"""From scorecards to figures that may be quoted: what is counted, out of how many, how sure, and what it does not say."""
