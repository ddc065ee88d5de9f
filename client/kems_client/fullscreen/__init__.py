"""The full screen: keys in, pictures out; what each key and each message does to the state.

A scene is a player's table, a recorded match or a list to pick from. `screen` alone imports
prompt_toolkit, and with `pressclock` touches the terminal; scenes have timers, the rest is pure.
"""
