import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { EntityManager, In, MoreThan, QueryFailedError, Repository } from 'typeorm';
import type { GamerId, Role } from '../../../contracts/ids.js';
import { Refused } from '../http/refused.js';
import type { GamerOfSession } from '../http/session.js';
import { Account } from './account.entity.js';

/** A role taken away is still believed for at most this long. */
const GAMER_TTL_MS = 2_000;
/** Where a gamer was renamed on another node, the old tag is told for at most this long. */
const TAG_TTL_MS = 10_000;
const MAX_CACHED = 20_000;
const RESTORE_BATCH = 500;

/** What may be changed about an account. */
export type AccountEdit = Partial<Pick<Account, 'gamerTag' | 'email' | 'role' | 'passwordHash'>>;

/** The tables as one transaction sees them. */
export type Tables = EntityManager;

/** The table `auth.accounts`: the only file that touches it. */
@Injectable()
export class AccountsStore {
  private readonly gamers = new LRUCache<GamerId, Promise<GamerOfSession | null>>({
    ttl: GAMER_TTL_MS,
    max: MAX_CACHED,
  });
  private readonly tags = new LRUCache<GamerId, string>({ ttl: TAG_TTL_MS, max: MAX_CACHED });

  constructor(@InjectRepository(Account) private readonly accounts: Repository<Account>) {}

  /** Who a session belongs to, or null when there is none or its account is gone. Two seconds old at most. */
  async gamerOfSession(gamerId: GamerId | undefined): Promise<GamerOfSession | null> {
    if (gamerId === undefined) return null;
    const known = this.gamers.get(gamerId);
    if (known) return known;
    const reading = this.readGamer(gamerId);
    this.gamers.set(gamerId, reading);
    reading.catch(() => {
      // Another may have been set since.
      if (this.gamers.peek(gamerId) === reading) this.gamers.delete(gamerId);
    });
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

  /** Codes are upper case; what was typed or pasted need not be. */
  findByRefCode(refCode: string): Promise<Account | null> {
    return this.accounts.findOneBy({ refCode: refCode.trim().toUpperCase() });
  }

  findHouse(): Promise<Account | null> {
    return this.accounts.findOne({ where: { role: 'admin' }, order: { createdAt: 'ASC' } });
  }

  async isEmpty(): Promise<boolean> {
    return !(await this.accounts.exists());
  }

  /** Reserves tag, email and referral code. Throws Refused when the tag or the email is taken. */
  async reserve(account: Account): Promise<void> {
    await this.accounts.insert(account).catch(refuseWhatIsTaken);
  }

  /**
   * Changes an account in one transaction with what records the change: the row is locked, and its tag and email are
   * nobody else's, while `record` runs; what it answers with is what the row keeps. When it throws, nothing was changed.
   * Throws Refused when there is no such account, or the tag or the email is taken.
   */
  async change(gamerId: GamerId, wanted: AccountEdit, record: (tables: Tables) => Promise<AccountEdit>): Promise<void> {
    try {
      await this.accounts.manager.transaction(async (tables) => {
        const { affected } = await tables.update(Account, { gamerId }, wanted);
        if (affected !== 1) throw new Refused('gamer-not-found');
        await tables.update(Account, { gamerId }, await record(tables));
      });
    } catch (error) {
      refuseWhatIsTaken(error);
    } finally {
      this.forget(gamerId);
    }
  }

  /** The account, and all that hangs on it, is gone; one that is gone already is no failure. */
  async erase(gamerId: GamerId): Promise<void> {
    await this.accounts.delete({ gamerId });
    this.forget(gamerId);
  }

  /** Makes this node read the gamer anew. */
  forget(gamerId: GamerId): void {
    this.gamers.delete(gamerId);
    this.tags.delete(gamerId);
  }

  /** The roles of these gamers as they are now; an id without an account is left out. */
  async rolesOf(gamerIds: readonly GamerId[]): Promise<Map<GamerId, Role>> {
    const rows = await this.accounts
      .createQueryBuilder('account')
      .select(['account.gamerId', 'account.role'])
      // One parameter, however many they are: there are as many as sockets.
      .where('account.gamerId = ANY(:gamerIds)', { gamerIds })
      .getMany();
    return new Map(rows.map(({ gamerId, role }) => [gamerId, role]));
  }

  async markEnrolled(gamerId: GamerId): Promise<void> {
    await this.accounts.update({ gamerId }, { enrolled: true });
  }

  async setPasswordHash(gamerId: GamerId, passwordHash: string): Promise<void> {
    await this.accounts.update({ gamerId }, { passwordHash });
  }

  /** Accounts that the ledger may not know yet, in the order of their ids, after this one. */
  notEnrolled(afterGamerId: GamerId, limit: number): Promise<Account[]> {
    return this.accounts.find({
      where: { enrolled: false, gamerId: MoreThan(afterGamerId) },
      order: { gamerId: 'ASC' },
      take: limit,
    });
  }

  /** All or nothing. A row whose tag, email or code is taken is left out; answers with how many were put in. */
  restore(accounts: readonly Account[]): Promise<number> {
    return this.accounts.manager.transaction(async (manager: EntityManager) => {
      let restored = 0;
      for (let from = 0; from < accounts.length; from += RESTORE_BATCH) {
        const inserted = await manager
          .createQueryBuilder()
          .insert()
          .into(Account)
          .values(accounts.slice(from, from + RESTORE_BATCH))
          .orIgnore()
          .returning('gamer_id')
          .execute();
        restored += (inserted.raw as unknown[]).length;
      }
      return restored;
    });
  }

  /** The tags of these gamers; an id without an account is left out. Ten seconds old at most. */
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

function refuseWhatIsTaken(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === 'accounts_gamer_tag') throw new Refused('gamer-tag-taken');
  if (constraint === 'accounts_email') throw new Refused('email-taken');
  throw error;
}

function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  const { code, constraint } = error.driverError as { code?: string; constraint?: string };
  return code === '23505' ? constraint : undefined;
}
