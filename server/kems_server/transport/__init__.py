"""Sockets, addresses and frames: between the hub, which is pure, and the network.

`service` alone imports zmq, `connections` alone asks the system about TCP.
"""
