"""``python -m fsviz``; ``python -P -m fsviz`` where the folder is someone else's."""

# nothing else up here: the current folder is on the path until it is taken off below
import atexit
import gc
import os
import sys


def start() -> None:
    """Begin the command line, if the system allows what it needs."""
    # a command ends in seconds: to look for garbage as often as Python does by itself,
    # through all that was imported, takes a seventh of them
    gc.set_threshold(300_000, 20, 20)
    # nor is what ends with the process taken apart; registered first, it is done last
    status: list[int] = []
    atexit.register(_leave, status)
    try:
        from fsviz.model.errors import FsvizError
        from fsviz.model.limits import expect_memory

        # each thread takes memory, and nothing here is a product of large matrices
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # else every package is searched for plugins that change what models accept
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
        expect_memory()
        from fsviz.cli import main
    except ModuleNotFoundError as error:
        from fsviz.model.missing import how_to_install

        sys.exit(how_to_install(error.name or "") or str(error))
    except FsvizError as error:
        sys.exit(str(error))
    try:
        main()
    except SystemExit as end:
        status += [end.code] if isinstance(end.code, int) else []
        raise


def _leave(status: list[int]) -> None:
    """End the process at once, if a command has said how it ended."""
    for code in status:
        try:
            for stream in filter(None, (sys.stdout, sys.stderr)):
                stream.flush()
        except (OSError, ValueError):
            return  # Python says so
        os._exit(code)


if __name__ == "__main__":
    if not sys.flags.safe_path:
        # -m puts the current folder there, and with it whatever modules lie in it
        sys.path.pop(0)
    start()
