// Replaced by the first content.
