"""The full screen: keys in, pictures out; what each key and each message does to the state.

`screen` alone imports prompt_toolkit, and with `pressclock` touches the terminal; the rest is pure.
"""
