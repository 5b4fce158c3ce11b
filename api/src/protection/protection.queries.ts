import { Injectable } from '@nestjs/common';
import type { ExcludedGamer, ProtectionResponse } from '../../../contracts/http/protection.js';
import type { GamerId } from '../../../contracts/ids.js';
import { LIMIT_KINDS, NO_LIMITS } from '../../../contracts/limits.js';
import { exclusionOf } from '../../../domain/ledger-state.js';
import { limitsInForce } from '../../../domain/play-limits.js';
import { GamerNames } from '../accounts/gamer-names.queries.js';
import { Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';

/** Reads the ledger's own state, which decides: no read model can lag behind it. */
@Injectable()
export class ProtectionQueries {
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly names: GamerNames,
  ) {}

  of(gamerId: GamerId): ProtectionResponse {
    const state = this.ledger.decidedState;
    const nowMs = this.clock.now();
    const play = state.limited.get(gamerId);
    return {
      exclusion: exclusionOf(state, gamerId, nowMs),
      limits: play?.limits ?? NO_LIMITS,
      wanted: play?.wanted ?? null,
      left: play ? limitsInForce(play, LIMIT_KINDS, nowMs) : [],
    };
  }

  async exclusions(): Promise<ExcludedGamer[]> {
    const { exclusions, gamers } = this.ledger.decidedState;
    const nowMs = this.clock.now();
    const excluded = [...exclusions.keys()].flatMap((gamerId) => {
      const exclusion = gamers.has(gamerId) ? exclusionOf(this.ledger.decidedState, gamerId, nowMs) : null;
      return exclusion ? [{ gamerId, ...exclusion }] : [];
    });
    const nameOf = await this.names.of(excluded.map(({ gamerId }) => gamerId));
    return excluded
      .map((one) => ({ ...one, gamerTag: nameOf(one.gamerId) }))
      .sort((one, other) => other.untilEpochMs - one.untilEpochMs);
  }
}
