"""Records of an executed chapter: `measurements` of its runs, and `stamps` of its inputs."""
