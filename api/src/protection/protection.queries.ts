import { Injectable } from '@nestjs/common';
import type { ExclusionsResponse, LimitsResponse, ProtectionResponse } from '../../../contracts/http/protection.js';
import type { GamerId } from '../../../contracts/ids.js';
import { LIMIT_KINDS, NO_LIMITS } from '../../../contracts/limits.js';
import { exclusionOf } from '../../../domain/ledger-state.js';
import { limitsInForce, mustChooseLimits } from '../../../domain/play-limits.js';
import { GamerNames } from '../accounts/gamer-names.queries.js';
import { type Page, rowsOf } from '../http/page.js';
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
      left: limitsInForce(state, gamerId, LIMIT_KINDS, nowMs),
      mustChooseLimits: mustChooseLimits(state, gamerId),
    };
  }

  async exclusions(page: Page): Promise<ExclusionsResponse> {
    const { exclusions, gamers } = this.ledger.decidedState;
    const nowMs = this.clock.now();
    const excluded = [...exclusions.keys()]
      .flatMap((id) => {
        const exclusion = gamers.has(id) ? exclusionOf({ exclusions }, id, nowMs) : null;
        return exclusion ? [{ id, ...exclusion }] : [];
      })
      .sort((one, other) => other.untilEpochMs - one.untilEpochMs);
    return { exclusions: await this.withTags(excluded, page), total: excluded.length };
  }

  async limits(page: Page): Promise<LimitsResponse> {
    const { limited, profile } = this.ledger.decidedState;
    const all = [...limited].map(([id, limits]) => ({ id, ...limits }));
    return { profile, limited: await this.withTags(all, page), total: all.length };
  }

  /** The gamers of a page, with their tags. */
  private async withTags<G extends { id: GamerId }>(
    all: readonly G[],
    page: Page,
  ): Promise<(G & { gamerTag: string })[]> {
    const { skip, take } = rowsOf(page);
    const listed = all.slice(skip, skip + take);
    const nameOf = await this.names.of(listed.map(({ id }) => id));
    return listed.map((one) => ({ ...one, gamerTag: nameOf(one.id) }));
  }
}
