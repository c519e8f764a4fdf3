"""The fleet: beats and dreams of many homes, from one process.

`pace` is the arithmetic of slots, `schedule` decides what starts when, `roster` finds the homes,
`work` does one job through `app`, `runner` is the loop around them, `report` what it says of each
job, and `health` answers whoever asks how it is.
"""
