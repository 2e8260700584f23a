"""``python -m taciturn``: the command line."""

from taciturn.cli import main

if __name__ == "__main__":
    main()
