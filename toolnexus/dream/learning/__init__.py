"""Learning (`dream.learn`): facts that users state in new turns and memory lacks are added.

New turns are put to the model in lessons (`lesson`). What it wants to add passes the guard, and the
rules of this package (`judge`): stated and not only asked or supposed (`stated`), no secret
(`secret`), not known already (`known`).
"""
