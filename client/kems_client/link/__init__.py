"""The connection to a hub: finding it, joining, its clock, requests and answers, coming back.

`session` alone imports zmq. No module here knows what is done with what it hears.
"""
