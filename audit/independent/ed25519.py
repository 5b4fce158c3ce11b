"""Verifies Ed25519 signatures by RFC 8032. It has no secrets, so it need not take the same time for all of them."""

from hashlib import sha512

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def x_of(y, sign):
    """The x of the curve's point with this y and this last bit of x; None when there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P != 0 or (x == 0 and sign == 1):
        return None
    return x if x % 2 == sign else P - x


def point_of(encoded):
    number = int.from_bytes(encoded, "little")
    y, sign = number % 2**255, number >> 255
    x = x_of(y, sign) if y < P else None
    # Extended coordinates: x = X/Z, y = Y/Z, x * y = T/Z.
    return None if x is None else (x, y, 1, x * y % P)


def add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(factor, point):
    product = (0, 1, 1, 0)
    while factor > 0:
        if factor % 2 == 1:
            product = add(product, point)
        point, factor = add(point, point), factor // 2
    return product


BASE_Y = 4 * pow(5, -1, P) % P
BASE = point_of(BASE_Y.to_bytes(32, "little"))


def is_signed(public_key, message, signature):
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key, nonce = point_of(public_key), point_of(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or nonce is None or scalar >= ORDER:
        return False
    challenge = int.from_bytes(sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    left, right = times(scalar, BASE), add(nonce, times(challenge, key))
    return all((left[at] * right[2] - right[at] * left[2]) % P == 0 for at in (0, 1))
