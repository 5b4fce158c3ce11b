"""What every file of rules uses."""

DAY = 86_400_000


def found(*checks):
    """The texts of the checks, given as (what is wrong, text), that found something."""
    return [text for wrong, text in checks if wrong]
