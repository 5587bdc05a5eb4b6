"""What the cells of a single chapter call: a room for each chapter, named after it.

A cell names an instance, an algorithm and a number of runs; here is what turns the runs into the
figures, the tables and the checks of that chapter.
"""
