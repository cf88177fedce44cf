"""The corpus from its author's side: the hidden half of packages, the rules behind labels, checks and drawing."""
