"""Pages: customer, staff, errors."""
