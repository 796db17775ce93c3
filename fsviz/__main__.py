"""``python -m fsviz``."""

from fsviz.cli import main

if __name__ == "__main__":
    main()
