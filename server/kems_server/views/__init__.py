"""All that leaves a hub, as values: to each audience what it may see, to the journal what it keeps.

Pure. `views` is the only way out for what a table holds; nobody else builds a message from one.
"""
