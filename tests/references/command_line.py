"""What a command line prints; ``main`` is the function that runs it."""


def lines_of(main, capsys, *arguments):
    """What a command that succeeds prints."""
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def error_of(main, capsys, *arguments):
    """The one line that a command says when it fails."""
    assert main(arguments) == 2
    printed, error = capsys.readouterr()
    assert printed == ""
    line = error.splitlines()[-1]
    assert line.startswith("error: ")
    return line.removeprefix("error: ")
