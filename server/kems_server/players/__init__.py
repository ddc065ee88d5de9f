"""Who is here: names, keys, seats and teams, how far away and how silent each one is. Pure."""
