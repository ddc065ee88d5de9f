"""Lines instead of pictures: for pipes, dumb terminals, screen readers; and JSON for programs."""
