"""Who was first: stamps, credits and waits, and openings that all learn of at one instant. Pure."""
