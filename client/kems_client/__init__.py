"""A player's end of Kem's Net: what they see, what they press, and the connection to the hub."""
