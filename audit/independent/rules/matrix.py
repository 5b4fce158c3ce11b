"""The rules "Matrix", and "Purchases" as far as they say whom a purchase pays."""

from rules.tools import found

WIDTH_BEFORE_ROUNDS = 3


class Seat:
    def __init__(self, gamer, sponsor):
        self.gamer, self.sponsor = gamer, sponsor
        self.parent, self.slot, self.children = None, 0, {}
        self.distance = 0  # Levels down to the nearest free slot; 0 when a slot of this seat is free.
        self.depositor_until = -1


class Matrix:
    def __init__(self, state):
        self.state, self.seats, self.root = state, {}, None
        self.width = WIDTH_BEFORE_ROUNDS

    def is_gamer(self, gamer):
        return gamer in self.seats and gamer != self.root.gamer

    def take(self, event):
        d = event.data
        if event.type == "GamerEnrolled":
            yield from self.enrol(d)
        elif event.type == "GamerRemoved":
            yield from self.remove(d)
        elif event.type == "GameStarted":
            yield from self.widen(d["terms"]["matrixWidth"])
        elif event.type == "TokenPurchased":
            yield from self.split(d, event.at)
        elif event.type == "DepositorStatusSet":
            self.set_depositor(d["gamerId"], d["untilMs"])
        elif event.type == "DepositApproved" and d["depositorUntilMs"] is not None:
            self.set_depositor(d["gamerId"], d["depositorUntilMs"])

    def set_depositor(self, gamer, until):
        if gamer in self.seats:
            self.seats[gamer].depositor_until = -1 if until is None else until

    def enrol(self, d):
        if d["gamerId"] in self.seats:
            return ["places somebody who has a place"]
        seat = self.seats[d["gamerId"]] = Seat(d["gamerId"], d["sponsorId"])
        if self.root is None:
            self.root = seat
            return found(
                (any(d[name] is not None for name in ("sponsorId", "parentId", "slot")), "is the root, below somebody")
            )
        sponsor = self.root if d["sponsorId"] is None else self.seats.get(d["sponsorId"])
        return found((sponsor is None, "has a sponsor who is not there")) + self.place(
            seat, d, *self.first_free(sponsor or self.root)
        )

    def remove(self, d):
        removed = self.seats.get(d["gamerId"])
        if removed is None or removed.parent is None:
            return ["removes somebody who cannot be removed"]
        parent, place = removed.parent, (removed.parent, removed.slot)
        del self.seats[d["gamerId"]], parent.children[removed.slot]
        self.update_distances(parent)
        children = [removed.children[slot] for slot in sorted(removed.children)]
        if [one["gamerId"] for one in d["moved"]] != [child.gamer for child in children]:
            return ["does not move the children of the removed gamer, by their slots"]
        faults = []
        for child, stated in zip(children, d["moved"]):
            faults += self.place(child, stated, *place)
            place = self.first_free(parent)
        return faults

    def place(self, seat, stated, parent, slot):
        """The first child of a removed gamer takes that place; everybody else the first free slot."""
        seat.parent, seat.slot, parent.children[slot] = parent, slot, seat
        self.update_distances(parent)
        right = (stated["parentId"], stated["slot"]) == (parent.gamer, slot)
        return found((not right, f"puts {seat.gamer} elsewhere than into slot {slot} of {parent.gamer}"))

    def first_free(self, top):
        """Breadth-first from the left: down to the nearest free slot, by the leftmost way."""
        while top.distance > 0:
            children = (top.children[slot] for slot in range(self.width))
            top = next(child for child in children if child.distance == top.distance - 1)
        return top, next(slot for slot in range(self.width) if slot not in top.children)

    def update_distances(self, seat):
        while seat is not None:
            is_full = all(slot in seat.children for slot in range(self.width))
            distance = 1 + min(child.distance for child in seat.children.values()) if is_full else 0
            if distance == seat.distance:
                return
            seat.distance, seat = distance, seat.parent

    def widen(self, width):
        narrower, wider = width < self.width, width > self.width
        self.width = width
        for seat in self.seats.values() if wider else ():
            seat.distance = 0
        return found((narrower, "makes the matrix narrower"))

    def split(self, d, at):
        buyer, terms, quantity = self.seats.get(d["buyerId"]), self.state.rounds.terms, d["quantity"]
        if terms is None or not self.is_gamer(d["buyerId"]):
            return ["is bought by nobody, or before the first round"]
        each = (
            ("costCents", "tokenPriceCents"),
            ("jackpotShareCents", "jackpotShareCents"),
            ("houseShareCents", "houseShareCents"),
        )
        return found(
            (
                any(d[share] != quantity * terms[term] for share, term in each),
                "has a price or a share that is not that of its round",
            ),
            (
                d["allocations"] != self.allocations(buyer, terms, quantity, at),
                "pays other uplines, or other cents, than are entitled",
            ),
        )

    def allocations(self, buyer, terms, quantity, at):
        """Whom a purchase pays: the uplines from the nearest on, then a sponsor who is none of them."""
        due, upline, sponsor_is_upline = [], buyer.parent, False
        for level, share in enumerate(terms["levelShareCents"], 1):
            if upline is None:
                break
            direct = upline.gamer == buyer.sponsor
            sponsor_is_upline = sponsor_is_upline or direct
            if self.earns(upline, at):
                cents = quantity * (share + (terms["directBonusCents"] if direct else 0))
                due.append({"gamerId": upline.gamer, "level": level, "direct": direct, "cents": cents})
            upline = upline.parent
        sponsor = self.seats.get(buyer.sponsor)
        if sponsor and not sponsor_is_upline and self.earns(sponsor, at):
            due.append(
                {"gamerId": sponsor.gamer, "level": None, "direct": True, "cents": quantity * terms["directBonusCents"]}
            )
        return due

    def earns(self, seat, at):
        """Depositors do, but neither the admin, nor staff, nor the excluded."""
        actors = self.state.actors
        is_barred = seat is self.root or seat.gamer in actors.staff or actors.is_excluded(seat.gamer, at)
        return seat.depositor_until >= at and not is_barred
