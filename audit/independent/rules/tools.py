"""What every file of rules uses."""

DAY = 86_400_000
# A GameStarted without terms, and the matrix before the first round.
TERMS_OF_VERSION_1 = {
    "tokenPriceCents": 30,
    "jackpotShareCents": 13,
    "houseShareCents": 2,
    "levelShareCents": [2] * 7,
    "directBonusCents": 1,
    "matrixWidth": 3,
}


def found(*checks):
    """The texts of the checks, given as (what is wrong, text), that found something."""
    return [text for wrong, text in checks if wrong]
