import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { EntityManager, QueryFailedError, Repository } from 'typeorm';
import { type GamerId, isStaff, type Power, type Role } from '../../../contracts/ids.js';
import type { Session, SessionGamer, SessionGamers } from '../http/session.js';
import { Ledger } from '../ledger/ledger.js';
import { Config } from '../platform/config.js';
import { Refused } from '../platform/failures.js';
import { FreshRows } from '../platform/fresh-rows.js';
import { Listener } from '../platform/listener.store.js';
import { PriorityPool } from '../platform/priority-pool.store.js';
import { RowSeals } from '../platform/row-seals.js';
import { Account } from './account.entity.js';
import {
  type AccountRow,
  accountOf,
  isGenuine,
  passwordMarkOf,
  SELECT_ACCOUNTS,
  sealed,
  sealOf,
} from './account-rows.js';

/** A rename on another node shows on this one within this time, even when its notification gets lost. */
const TAG_TTL_MS = 10_000;
const MAX_CACHED = 20_000;
const RESTORE_BATCH = 500;

/** The fields of an account that may change. */
export type AccountEdit = Partial<Pick<Account, 'gamerTag' | 'email' | 'role' | 'passwordHash' | 'secondFactor'>>;

/** As kept in memory for the guards. */
type KeptGamer = Omit<SessionGamer, 'powers'> & { hasSecondFactor: boolean; password: string | null };

/** The entity manager of one transaction. */
export type Tables = EntityManager;

/** The table `auth.accounts`; no other file reads or writes it. A row whose seal does not fit counts as absent. */
@Injectable()
export class AccountsStore implements SessionGamers {
  private readonly gamers: FreshRows<KeptGamer>;
  private readonly changeListeners: ((gamerId: GamerId) => void)[] = [];
  private readonly tags = new LRUCache<GamerId, string>({ ttl: TAG_TTL_MS, max: MAX_CACHED, noDeleteOnStaleGet: true });

  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    private readonly priorityPool: PriorityPool,
    private readonly config: Config,
    private readonly ledger: Ledger,
    private readonly seals: RowSeals,
    listener: Listener,
  ) {
    this.gamers = new FreshRows(
      listener,
      'auth_accounts',
      (gamerId) => this.readGamer(gamerId),
      (gamerId) => {
        this.tags.delete(gamerId);
        for (const changed of this.changeListeners) changed(gamerId);
      },
    );
  }

  /** The session's gamer; null when there is none. A promise only when a row must be read. */
  gamerOfSession(session: Session | null): SessionGamer | null | Promise<SessionGamer | null> {
    if (!session) return null;
    const found = this.gamers.get(session.gamerId);
    return found instanceof Promise
      ? found.then((gamer) => this.inSession(session, gamer))
      : this.inSession(session, found);
  }

  private inSession(session: Session, gamer: KeptGamer | null): SessionGamer | null | Promise<SessionGamer | null> {
    if (!gamer || isOfPasswordOf(session, gamer)) return this.withPowers(session, gamer);
    // Another node may have changed the password just now, and the notification may not have arrived.
    this.gamers.forget(gamer.gamerId);
    return this.readGamer(gamer.gamerId).then((read) =>
      read && isOfPasswordOf(session, read) ? this.withPowers(session, read) : null,
    );
  }

  private withPowers(session: Session, gamer: KeptGamer | null): SessionGamer | null | Promise<SessionGamer | null> {
    if (!gamer) return null;
    const { gamerId, gamerTag, role } = gamer;
    if (!isStaff(role)) return { gamerId, gamerTag, role, needsSecondFactor: false, powers: [] };
    // A session of an earlier release, or begun just before the role changed: it would last 30 days.
    if (!session.isStaff) return null;
    if (this.isStaffOfLedger(gamer)) return this.staffGamer(session, gamer);
    // StaffStatusSet is appended before the role changes; this node may not have read it yet.
    return this.ledger.refresh().then(() => (this.isStaffOfLedger(gamer) ? this.staffGamer(session, gamer) : null));
  }

  private staffGamer(session: Session, gamer: KeptGamer): SessionGamer {
    const { gamerId, gamerTag, role } = gamer;
    const needsSecondFactor = !session.hasSecondFactor && (gamer.hasSecondFactor || this.config.isHttpsOnly);
    const powers = role === 'operator' ? this.powersOf(gamerId) : [];
    return { gamerId, gamerTag, role, needsSecondFactor, powers };
  }

  /** Whether the ledger also knows the gamer as staff: an old row that was put back must not restore the role. */
  private isStaffOfLedger({ gamerId, role }: KeptGamer): boolean {
    return role === 'admin' ? gamerId === this.ledger.decided.adminId : this.ledger.decided.isStaff(gamerId);
  }

  /** An operator's powers, which are the ledger's: it decides by them too. */
  powersOf(gamerId: GamerId): readonly Power[] {
    return this.ledger.decided.powersOf(gamerId);
  }

  /** Calls the listener with the id of each account whose tag or role changed on any node, or that was deleted. */
  onChanged(listener: (gamerId: GamerId) => void): void {
    this.changeListeners.push(listener);
  }

  findById(gamerId: GamerId): Promise<Account | null> {
    return this.findOne('gamer_id = $1', gamerId);
  }

  findByTag(gamerTag: string): Promise<Account | null> {
    return this.findOne('lower(gamer_tag) = lower($1)', gamerTag);
  }

  /** Ignores case: stored codes are upper case. */
  findByRefCode(refCode: string): Promise<Account | null> {
    return this.findOne('ref_code = $1', refCode.trim().toUpperCase());
  }

  findAdmin(): Promise<Account | null> {
    return this.findOne(`role = 'admin' ORDER BY created_at`);
  }

  async auditors(): Promise<GamerId[]> {
    const accounts = await this.find(`role = 'auditor' AND enrolled`);
    return accounts.map(({ gamerId }) => gamerId);
  }

  private async findOne(condition: string, ...parameters: unknown[]): Promise<Account | null> {
    return (await this.find(condition, ...parameters))[0] ?? null;
  }

  private async find(condition: string, ...parameters: unknown[]): Promise<Account[]> {
    const rows: AccountRow[] = await this.accounts.query(`${SELECT_ACCOUNTS} WHERE ${condition}`, parameters);
    return rows.filter((row) => isGenuine(this.seals, row)).map(accountOf);
  }

  async isEmpty(): Promise<boolean> {
    return !(await this.accounts.exists());
  }

  /** Reserves tag, email and referral code. Throws Refused when the tag or the email is taken. */
  async reserve(account: Account): Promise<void> {
    await this.accounts.insert(sealed(this.seals, account)).catch(refuseTaken);
  }

  /**
   * Changes an account and records the change in one transaction. While `record` runs, the row is locked and its tag and
   * email are reserved; the row then gets the values that `record` returns. When `record` throws, nothing changes.
   * Throws Refused when there is no such account, or the tag or the email is taken; a row that is not genuine stays so.
   */
  async change(gamerId: GamerId, wanted: AccountEdit, record: (tables: Tables) => Promise<AccountEdit>): Promise<void> {
    try {
      await this.accounts.manager.transaction(async (tables) => {
        const [row]: AccountRow[] = await tables.query(`${SELECT_ACCOUNTS} WHERE gamer_id = $1 FOR UPDATE`, [gamerId]);
        if (!row || !isGenuine(this.seals, row)) throw new Refused('gamer-not-found');
        await tables.update(Account, { gamerId }, wanted);
        const edit = { ...wanted, ...(await record(tables)) };
        const seal = sealOf(this.seals, { ...row.content, ...edit });
        await tables.update(Account, { gamerId }, { ...edit, seal });
      });
    } catch (error) {
      refuseTaken(error);
    } finally {
      this.forget(gamerId);
    }
  }

  /** Deletes an account and the rows that refer to it. Idempotent. */
  async erase(gamerId: GamerId): Promise<void> {
    await this.accounts.delete({ gamerId });
    this.forget(gamerId);
  }

  /** Removes a gamer from this node's caches. */
  forget(gamerId: GamerId): void {
    this.gamers.forget(gamerId);
    this.tags.delete(gamerId);
  }

  /** The present roles of these gamers, uncached; ids without an account are left out. */
  async rolesOf(gamerIds: readonly GamerId[]): Promise<Map<GamerId, Role>> {
    // An array is one parameter: there may be more ids than Postgres allows parameters.
    const accounts = await this.find('gamer_id = ANY ($1)', gamerIds);
    return new Map(accounts.map(({ gamerId, role }) => [gamerId, role]));
  }

  /** Whether the account still has this password hash. */
  async hasPasswordOf({ gamerId, passwordHash }: Account): Promise<boolean> {
    return (await this.findById(gamerId))?.passwordHash === passwordHash;
  }

  async markEnrolled(gamerId: GamerId): Promise<void> {
    await this.accounts.update({ gamerId }, { enrolled: true });
  }

  async setPasswordHash(gamerId: GamerId, passwordHash: string): Promise<void> {
    await this.change(gamerId, { passwordHash }, async () => ({}));
  }

  /** Accounts that are not enrolled yet, ordered by id, after `afterGamerId`. */
  notEnrolled(afterGamerId: GamerId, limit: number): Promise<Account[]> {
    return this.find('NOT enrolled AND gamer_id > $1 ORDER BY gamer_id LIMIT $2', afterGamerId, limit);
  }

  /** Inserts all accounts in one transaction, skipping rows whose tag, email or code is taken; returns how many were inserted. */
  restore(accounts: readonly Account[]): Promise<number> {
    return this.accounts.manager.transaction(async (manager: EntityManager) => {
      let restored = 0;
      for (let from = 0; from < accounts.length; from += RESTORE_BATCH) {
        const inserted = await manager
          .createQueryBuilder()
          .insert()
          .into(Account)
          .values(accounts.slice(from, from + RESTORE_BATCH).map((account) => sealed(this.seals, account)))
          .orIgnore()
          .returning('gamer_id')
          .execute();
        restored += (inserted.raw as unknown[]).length;
      }
      return restored;
    });
  }

  /** The tags of these gamers, at most ten seconds old; ids without an account are left out. */
  async tagsOf(gamerIds: readonly GamerId[]): Promise<Map<GamerId, string>> {
    const found = new Map<GamerId, string>();
    const missing = new Set<GamerId>();
    for (const gamerId of gamerIds) {
      const tag = this.tags.get(gamerId);
      if (tag === undefined) missing.add(gamerId);
      else found.set(gamerId, tag);
    }
    if (missing.size === 0) return found;
    const { rows } = await this.priorityPool.query<Pick<Account, 'gamerId' | 'gamerTag'>>(
      'SELECT gamer_id AS "gamerId", gamer_tag AS "gamerTag" FROM auth.accounts WHERE gamer_id = ANY($1)',
      [[...missing]],
    );
    for (const { gamerId, gamerTag } of rows) {
      this.tags.set(gamerId, gamerTag);
      found.set(gamerId, gamerTag);
    }
    return found;
  }

  /** The tags this node knows from memory, however old; for when Postgres is unavailable. */
  rememberedTagsOf(gamerIds: readonly GamerId[]): Map<GamerId, string> {
    const found = new Map<GamerId, string>();
    for (const gamerId of gamerIds) {
      const tag = this.tags.get(gamerId, { allowStale: true });
      if (tag !== undefined) found.set(gamerId, tag);
    }
    return found;
  }

  private async readGamer(gamerId: GamerId): Promise<KeptGamer | null> {
    const { rows } = await this.priorityPool.query<AccountRow>(`${SELECT_ACCOUNTS} WHERE gamer_id = $1`, [gamerId]);
    const [row] = rows;
    if (!row || !isGenuine(this.seals, row)) return null;
    const { gamerTag, role, secondFactor, passwordHash } = row.content;
    this.tags.set(gamerId, gamerTag);
    const hasSecondFactor = secondFactor !== null;
    return {
      gamerId,
      gamerTag,
      role,
      needsSecondFactor: false,
      hasSecondFactor,
      password: passwordMarkOf(passwordHash),
    };
  }
}

const isOfPasswordOf = (session: Session, gamer: KeptGamer): boolean =>
  session.password === null || session.password === gamer.password;

/** Turns a violated unique index into its refusal. */
function refuseTaken(error: unknown): never {
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
