"""The tree of RFC 6962, section 2.1."""

from hashlib import sha256


def leaf_of(entry):
    return sha256(b"\0" + entry).digest()


def node_of(left, right):
    return sha256(b"\1" + left + right).digest()


class Tree:
    """Grows by an entry at a time, and keeps the roots of its perfect subtrees only, the largest first."""

    def __init__(self):
        self.size, self.subtrees = 0, []

    def add(self, entry):
        node, self.size = leaf_of(entry), self.size + 1
        # For each zero at the end of the new size a subtree of equal size stands before the new one: they are joined.
        for _ in range((self.size & -self.size).bit_length() - 1):
            node = node_of(self.subtrees.pop(), node)
        self.subtrees.append(node)

    def root(self):
        if not self.subtrees:
            return sha256(b"").digest()
        *larger, root = self.subtrees
        for left in reversed(larger):
            root = node_of(left, root)
        return root


def root_of_inclusion(index, size, leaf, proof):
    """The root that the proof leads to (RFC 9162, section 2.1.3.2); None when its length is not that of such a proof."""
    if index >= size:
        return None
    root, at, last = leaf, index, size - 1
    for sibling in proof:
        if last == 0:
            return None
        if at % 2 == 1 or at == last:
            root = node_of(sibling, root)
            while at % 2 == 0 and at != 0:
                at, last = at // 2, last // 2
        else:
            root = node_of(root, sibling)
        at, last = at // 2, last // 2
    return root if last == 0 else None
