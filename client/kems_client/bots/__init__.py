"""A bot: a client whose keyboard is a pure policy of what its seat can see."""
