"""From a state to a picture: a canvas of styled cells for a screen of any size. Pure."""
