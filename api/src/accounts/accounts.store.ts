import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { GamerId } from '../../../contracts/ids.js';
import { ExpiringCache } from '../expiring-cache.js';
import type { GamerOfSession } from '../http/session.js';
import { Account } from './account.entity.js';

/** A role taken away is still believed for at most this long. */
const GAMER_TTL_MS = 2_000;
const TAG_TTL_MS = 60_000;
const MAX_CACHED = 20_000;

/** The table `auth.accounts`: the only file that touches it. */
@Injectable()
export class AccountsStore {
  private readonly gamers = new ExpiringCache<GamerId, Promise<GamerOfSession | null>>({
    ttlMs: GAMER_TTL_MS,
    maxEntries: MAX_CACHED,
  });
  private readonly tags = new ExpiringCache<GamerId, string>({ ttlMs: TAG_TTL_MS, maxEntries: MAX_CACHED });

  constructor(@InjectRepository(Account) private readonly accounts: Repository<Account>) {}

  /** Who a session belongs to, or null when there is none or its account is gone. Two seconds old at most. */
  async gamerOfSession(gamerId: GamerId | undefined): Promise<GamerOfSession | null> {
    if (gamerId === undefined) return null;
    const known = this.gamers.get(gamerId);
    if (known) return known;
    const reading = this.readGamer(gamerId);
    this.gamers.set(gamerId, reading);
    reading.catch(() => this.gamers.deleteIf(gamerId, reading));
    return reading;
  }

  findById(gamerId: GamerId): Promise<Account | null> {
    return this.accounts.findOneBy({ gamerId });
  }

  findByTag(gamerTag: string): Promise<Account | null> {
    return this.accounts
      .createQueryBuilder('account')
      .where('lower(account.gamerTag) = lower(:gamerTag)', { gamerTag })
      .getOne();
  }

  findByRefCode(refCode: string): Promise<Account | null> {
    return this.accounts.findOneBy({ refCode });
  }

  /** The tags of these gamers; an id without an account is left out. A minute old at most. */
  async tagsOf(gamerIds: readonly GamerId[]): Promise<Map<GamerId, string>> {
    const found = new Map<GamerId, string>();
    const missing = new Set<GamerId>();
    for (const gamerId of gamerIds) {
      const tag = this.tags.get(gamerId);
      if (tag === undefined) missing.add(gamerId);
      else found.set(gamerId, tag);
    }
    if (missing.size === 0) return found;
    const rows = await this.accounts.find({
      select: { gamerId: true, gamerTag: true },
      where: { gamerId: In([...missing]) },
    });
    for (const { gamerId, gamerTag } of rows) {
      this.tags.set(gamerId, gamerTag);
      found.set(gamerId, gamerTag);
    }
    return found;
  }

  private async readGamer(gamerId: GamerId): Promise<GamerOfSession | null> {
    const account = await this.accounts.findOne({
      select: { gamerId: true, gamerTag: true, role: true },
      where: { gamerId },
    });
    return account && { gamerId: account.gamerId, gamerTag: account.gamerTag, role: account.role };
  }
}
