"""``python -m fsviz``; ``python -P -m fsviz`` where the folder is someone else's."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        # -m puts the current folder there, and with it whatever modules lie in it
        sys.path.pop(0)
    try:
        from fsviz.cli import main
    except ModuleNotFoundError as error:
        from fsviz.model.missing import how_to_install

        sys.exit(how_to_install(error.name or "") or str(error))
    main()
