"""What both ends of Kem's Net must agree on: cards, rules, messages, clocks, keys.

Pure but for four modules that say so: `identity` (key files), `addresses` (interfaces), `discovery`
(multicast) and `parent_watch` (children end with their parents). No socket, clock, dice or
terminal is used here.
"""

__version__ = "0.1.0"
