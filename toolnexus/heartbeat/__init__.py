"""The heartbeat: a persona wakes, does what is due, and is silent and free when nothing is.

`beat` runs one, `gates` say why it is skipped, `agenda` reads HEARTBEAT.md, `due` does the
arithmetic of time, `reply` tells silence from news, `deliver` brings news to people, `state` is
what one beat leaves for the next, and `quiet` answers for a home where nothing has changed.
"""
