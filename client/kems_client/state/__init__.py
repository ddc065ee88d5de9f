"""What one player knows and what his fingers have done, as frozen values. Pure."""
