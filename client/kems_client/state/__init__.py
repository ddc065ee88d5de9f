"""What one player knows and which keys they pressed, as frozen values. Pure."""
