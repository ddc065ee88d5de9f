"""The rules, pure: a table as a value, what may happen at it, what follows, what is due next.

No module here knows of a player's name, of a socket, a file, a clock or dice.
"""
