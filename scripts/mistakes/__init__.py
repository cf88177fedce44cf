"""Single mistakes that an author, an editor or a tool could make in a package; each names the finding it must give."""
