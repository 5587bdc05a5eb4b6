"""The tables of the scorecard: verdicts by paper, all claims, and how chapters were executed."""
