import { Injectable } from '@nestjs/common';
import type { SecondPersonResponse, WaitingRequest } from '../../../contracts/http/admin.js';
import type { GamerId } from '../../../contracts/ids.js';
import { SECOND_PERSON_WITHIN_MS } from '../../../contracts/limits.js';
import type { SecondPersonRequest } from '../../../domain/ledger-state.js';
import { movedAloneCents } from '../../../domain/second-person.js';
import { GamerNames, type NameOf } from '../accounts/gamer-names.queries.js';
import { Ledger } from '../ledger/ledger.js';
import { PersonalTexts } from '../personal-texts/personal-texts.js';
import { Clock } from '../platform/clock.js';

/** Reads the ledger's own state, which decides: no read model can lag behind it. */
@Injectable()
export class SecondPersonQueries {
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly names: GamerNames,
    private readonly texts: PersonalTexts,
  ) {}

  /** The limits, what the gamer moved alone today, and the requests that still count, the oldest first. */
  async waiting(gamerId: GamerId): Promise<SecondPersonResponse> {
    const { secondPerson } = this.ledger.decided;
    const { requests, secondPersonAboveCents, secondPersonAboveCentsPerDay } = secondPerson;
    const nowMs = this.clock.now();
    const aloneTodayCents = movedAloneCents(secondPerson, gamerId, nowMs);
    const open = [...requests.values()].filter(({ at }) => nowMs - at <= SECOND_PERSON_WITHIN_MS);
    const nameOf = await this.names.of(open.flatMap(({ by, event }) => [by, event.data.gamerId]));
    const rows = open.map((request) => rowOf(request, gamerId, nameOf)).sort((one, other) => one.until - other.until);
    return {
      aboveCents: secondPersonAboveCents,
      aboveCentsPerDay: secondPersonAboveCentsPerDay,
      aloneTodayCents,
      requests: await this.texts.open(rows),
    };
  }
}

function rowOf({ by, at, event }: SecondPersonRequest, viewer: GamerId, nameOf: NameOf): WaitingRequest {
  const { gamerId } = event.data;
  const common = {
    gamerId,
    gamerTag: nameOf(gamerId),
    requestedBy: nameOf(by),
    isOwn: by === viewer,
    until: at + SECOND_PERSON_WITHIN_MS,
  };
  if (event.type === 'PayoutRequested') {
    const { withdrawalId, amountCents } = event.data;
    return { ...common, kind: 'payout', withdrawalId, amountCents, purchaseCents: 0, winningsCents: 0, reason: null };
  }
  const { purchaseCents, winningsCents, reason } = event.data;
  return { ...common, kind: 'adjustment', withdrawalId: null, amountCents: 0, purchaseCents, winningsCents, reason };
}
