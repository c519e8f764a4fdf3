"""What can be done to a memory: each operation takes a home as read and returns a `Step`. All pure.

The memory tool, the command line and the dreamer use the same operations, so that what one of them
may not do, none of them can.
"""
