"""What a job decides, step by step, before anything is written; and what of it waits for a person.

draft      a job's changes as they grow, each step judged by the conservation law
spared     what no job touches: what waits, and what a person took back
same       folding what is the same: notes and claims
hold       when the whole of it is held for a person
proposal   steps that wait for a person, and how they are put to a home that has moved on
"""
