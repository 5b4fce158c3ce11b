import { Injectable } from '@nestjs/common';
import type { ExclusionsResponse, LimitsResponse, ProtectionResponse } from '../../../../contracts/http/protection.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { LIMIT_KINDS } from '../../../../contracts/protection.js';
import { exclusionOf } from '../../../../domain/ledger/ledger-state.js';
import { excludedGamers } from '../../../../domain/protection-exclusions.js';
import * as playLimits from '../../../../domain/protection-limits.js';
import { type Page, skipTakeOf } from '../../http/page.js';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import { AccountsStore } from '../gamers/accounts.store.js';
import { GamerTags } from '../gamers/gamers.queries.js';

/** Limits and exclusions come from this node's ledger, not from read models. */
@Injectable()
export class ProtectionQueries {
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly tags: GamerTags,
    private readonly accounts: AccountsStore,
  ) {}

  async of(gamerId: GamerId): Promise<ProtectionResponse> {
    const sameMailbox = await this.accounts.withMailboxOf(gamerId);
    const nowMs = this.clock.now();
    const { limits, higher } = this.ledger.ask(playLimits.chosenLimits, gamerId);
    return {
      exclusion: this.ledger.ask(exclusionOf, gamerId, nowMs),
      sameMailbox: sameMailbox.map(({ gamerTag }) => gamerTag),
      limits,
      higher,
      limitsInForce: this.ledger.ask(playLimits.limitsInForce, gamerId, LIMIT_KINDS, nowMs),
      used: this.ledger.ask(playLimits.usedCents, gamerId, nowMs),
      mustChooseLimits: this.ledger.ask(playLimits.mustChooseLimits, gamerId),
    };
  }

  async exclusions(page: Page): Promise<ExclusionsResponse> {
    const excluded = this.ledger.ask(excludedGamers, this.clock.now());
    return { exclusions: await this.withTags(excluded, page), total: excluded.length };
  }

  async limits(page: Page): Promise<LimitsResponse> {
    const all = this.ledger.ask(playLimits.limitedGamers);
    const profile = this.ledger.ask(playLimits.protectionProfile);
    return { profile, limited: await this.withTags(all, page), total: all.length };
  }

  private async withTags<G extends { id: GamerId }>(all: readonly G[], page: Page) {
    const { skip, take } = skipTakeOf(page);
    const listed = all.slice(skip, skip + take);
    const tagOf = await this.tags.of(listed.map(({ id }) => id));
    return listed.map((one) => ({ ...one, gamerTag: tagOf(one.id) }));
  }
}
