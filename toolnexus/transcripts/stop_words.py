"""Words that say nothing about what a person looks for: left out of a query that has others."""

from __future__ import annotations

_ENGLISH = """
a about after all also am an and any are as at be been before being but by can could did do does
doing for from had has have having he her here hers him his how i if in into is it its just me more
my of on or our out please she so some than that the their them then there these they this those to
too us was we were what when where which who whom whose why will with would you your
"""
_GERMAN = """
aber als am an auf aus bei bin bis da das dass dein dem den der des die dir doch du ein eine einem
einen einer eines er es für hat ich ihr im in ist ja mein mich mir mit nach noch nun nur ob oder
sein sich sie sind so und uns vom von war was wenn wer wie wir wo zu zum zur
"""
_FRENCH = """
au aux avec ce ces cette dans de des du elle en est et eux il ils je la le les leur lui ma mais mes
moi mon nos notre nous on ou où par pas pour qu que quel qui sa se ses son sont sur ta te tes toi
ton tu un une vos votre vous
"""
_SPANISH = """
al como con cual cuando de del donde el ella en era es esta este ha hay la las le les lo los me mi
mis muy nos o para pero por que quien se ser si sin sobre su sus te tu un una y ya yo
"""

STOP_WORDS = frozenset(f"{_ENGLISH} {_GERMAN} {_FRENCH} {_SPANISH}".split())
