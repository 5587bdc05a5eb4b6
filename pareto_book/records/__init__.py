"""What a chapter reads of the papers and leaves when it is executed, without any claim.

`measurements` have intervals, a `scorecard` keeps them, `published` are numbers of the papers, and
`stamps` state what an execution was made from.
"""
