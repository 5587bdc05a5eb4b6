"""The newcomers: other people's programs as they are public, and figures of the five ideas."""
