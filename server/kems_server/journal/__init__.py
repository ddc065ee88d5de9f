"""The journal: what is written before it is sent, and what is read back from it.

`journal` alone imports sqlite3; what the rows mean is said in modules that know no file.
"""
