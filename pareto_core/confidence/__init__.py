"""How much evidence is enough: thresholds at which to stop, and bonuses of pairs of arms.

Begin with `thresholds`. Functions here take counts and means as arrays, and know neither what
is asked nor who samples.
"""
