"""What can be looked up in a journal afterwards: matches once more, figures of players."""
