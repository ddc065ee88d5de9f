"""The hub and its table sessions: who is at which table, what they request, what they get. Pure."""
