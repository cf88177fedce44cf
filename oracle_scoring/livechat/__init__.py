"""Single answers of a host in a live room, graded in six dimensions of 1 to 5."""
