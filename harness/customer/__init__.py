"""What speaks for the customer: pure functions over view, screens and earlier words. No file, network or clock."""
