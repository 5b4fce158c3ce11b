"""Signed notes, heads and policies (c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature, tlog-policy)."""

import re
from base64 import b64decode, b64encode
from hashlib import sha256

from ed25519 import is_signed

LOG, WITNESS = 1, 4


def require(condition, otherwise):
    if not condition:
        raise ValueError(otherwise)


def decoded(text):
    data = b64decode(text, validate=True)
    require(b64encode(data).decode() == text, "has another base64 than the canonical one")
    return data


class Key:
    def __init__(self, vkey):
        self.name, id_of_key, encoded = vkey.split("+", 2)
        typed = decoded(encoded)
        self.type, self.public = typed[0], typed[1:]
        self.id = sha256(self.name.encode() + b"\n" + typed).digest()[:4]
        require(self.id.hex() == id_of_key and len(self.public) == 32, "the key's id is not that of its name and bytes")

    def signed(self, note):
        """False without a line of this key; a wrong one makes the whole note wrong."""
        own = [blob[4:] for name, blob in note.signatures if name == self.name and blob[:4] == self.id]
        for signature in own:
            message = note.text
            if self.type == WITNESS:
                time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
                message = f"cosignature/v1\ntime {time}\n".encode() + message
            require(is_signed(self.public, message, signature), f"the signature of {self.name} is wrong")
        return own != []


class SignedHead:
    def __init__(self, note):
        end = note.rindex("\n\n") + 1
        self.text = note[:end].encode()
        self.origin, size, root = note[:end].split("\n")[:3]
        require(re.fullmatch("0|[1-9][0-9]*", size), "the head's size is not a number")
        self.size, self.root = int(size), decoded(root)
        lines = note[end + 1 :].split("\n")
        require(lines.pop() == "", "the last signature has no end")
        parts = [re.fullmatch("— ([^ +]+) ([^ ]+)", line) for line in lines]
        require(all(parts), "the head has a malformed signature")
        self.signatures = [(part[1], decoded(part[2])) for part in parts]


class Policy:
    """The witnesses, and which of them suffice."""

    def __init__(self, text):
        self.witnesses, self.groups, self.quorum = {}, {}, "none"
        for words in (line.split() for line in text.splitlines() if not line.startswith("#")):
            if words[:1] == ["witness"]:
                self.witnesses[words[1]] = Key(words[2])
            elif words[:1] == ["group"]:
                needed = {"any": 1, "all": len(words) - 3}.get(words[2]) or int(words[2])
                self.groups[words[1]] = (needed, words[3:])
            elif words[:1] == ["quorum"]:
                self.quorum = words[1]

    def suffices(self, name, cosigners):
        if name in self.groups:
            needed, members = self.groups[name]
            return sum(self.suffices(member, cosigners) for member in members) >= needed
        return name == "none" or name in cosigners
