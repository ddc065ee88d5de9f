"""Text for a terminal: sentences in any language, how wide they are, how they are shaped."""
