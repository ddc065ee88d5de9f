"""All that leaves a hub, as values: what each audience may see, and what the journal keeps.

Pure. `views` is the only way out for what a table holds; nobody else builds a message from one.
"""
