"""``python -m lre`` is the command `lre`."""

from lre.cli.main import main

if __name__ == "__main__":
    main()
