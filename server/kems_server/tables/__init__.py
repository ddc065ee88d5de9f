"""The hub and its rooms: tables with the people round them, who ask and are answered. Pure."""
