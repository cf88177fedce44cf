"""What words say, by rule: values, addresses, voices, languages, denials. Pure functions over text.

The customer's guard looks with them at a message before it is sent, the fidelity report at what was sent; what each makes
of it is its own.
"""
