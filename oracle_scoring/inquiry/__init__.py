"""The 58 metrics of the inquiry manual: data, rules, results."""
