"""Commands in this process read each sample campaign once."""

import pytest
from samples import read_once


@pytest.fixture(autouse=True)
def _samples_are_read_once():
    with read_once():
        yield
