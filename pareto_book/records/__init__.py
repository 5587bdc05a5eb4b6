"""Records of an executed chapter: `measurements` with intervals, and `stamps` of its inputs."""
