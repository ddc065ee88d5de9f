"""Who is here: names, keys, seats and teams, each one's latency and silence. Pure."""
