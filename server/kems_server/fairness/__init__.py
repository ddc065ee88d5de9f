"""Who was first: stamps, credits, waits, and openings that reach all at one instant. Pure."""
