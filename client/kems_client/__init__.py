"""A player's end of Kem's Net: what he sees, what he presses, and the connection to the hub."""
