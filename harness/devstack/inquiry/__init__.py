"""The inquiry app of the reference product: a web chat for buyers with two agents side by side."""

PRODUCT = "reference inquiry"
