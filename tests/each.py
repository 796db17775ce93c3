"""One test for what holds for each of many cases, such as every sample."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps

import pytest


def each(cases: Iterable, name: Callable[[object], str] = str) -> Callable:
    """Check all cases in one test, which lists those that fail and how.

    Its function takes a case first, then fixtures; pytest is shown the latter alone.
    """
    listed = list(cases)

    def decorate(check: Callable) -> Callable:
        @wraps(check)
        def test(**fixtures: object) -> None:
            assert listed
            failures = []
            for case in listed:
                try:
                    check(case, **fixtures)
                except Exception as error:
                    failures.append(f"{name(case)}: {type(error).__name__}: {error}")
            if failures:
                pytest.fail("\n".join(failures))

        _, *others = inspect.signature(check).parameters.values()
        test.__signature__ = inspect.Signature(others)
        return test

    return decorate
