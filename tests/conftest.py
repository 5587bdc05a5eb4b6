"""What all tests share: repeatable random tests, and kernels that say the same every time."""

import os

import hypothesis

hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.load_profile("repeatable")


def pytest_configure(config):
    if config.getoption("nbval"):
        from pareto_core.replicate import kernel_environment

        os.environ.update(kernel_environment(os.devnull))
