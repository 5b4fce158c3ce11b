import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Subject } from 'rxjs';
import { Column, Entity, EntityManager, MoreThan, PrimaryColumn, QueryFailedError, Repository } from 'typeorm';
import { canonicalEmail, mailboxOf } from '../../../../contracts/email.js';
import { type GamerId, isStaff, type Power, type Role } from '../../../../contracts/ids.js';
import { powersOf } from '../../../../domain/staff.js';
import type { Session, SessionGamer, SessionGamers } from '../../http/session.js';
import { Ledger } from '../../ledger/ledger.js';
import { Config } from '../../platform/config.js';
import { Refused } from '../../platform/failures.js';
import { FreshRows, MAX_CACHED } from '../../platform/fresh-rows.js';
import { Listener } from '../../platform/listener.store.js';
import { PriorityPool } from '../../platform/priority-pool.store.js';
import { randomGamerId, randomRefCode } from './random-text.js';

/** A gamer's account, for login and sessions. The password hash is stored only here, because secrets are not history. */
@Entity({ schema: 'auth', name: 'accounts' })
export class Account {
  @PrimaryColumn({ type: 'text', name: 'gamer_id' }) gamerId!: GamerId;
  /** Unique, case-insensitively. */
  @Column({ type: 'text', name: 'gamer_tag' }) gamerTag!: string;
  /** The address as typed, to which mails go. */
  @Column({ type: 'text' }) email!: string;
  /** The canonical form of the email, unique. Written by this store alone. */
  @Column({ type: 'text', name: 'email_key', select: false }) emailKey?: string;
  /** The mailbox (`mailboxOf`) whose reader last followed a mailed link; null until then. An admin's edit of the email leaves it. */
  @Column({ type: 'text', name: 'confirmed_mailbox', nullable: true }) confirmedMailbox?: string | null;
  /** argon2id; null for an account restored from the event log, until its password is reset. */
  @Column({ type: 'text', name: 'password_hash', nullable: true }) passwordHash!: string | null;
  @Column({ type: 'text' }) role!: Role;
  @Column({ type: 'text', name: 'ref_code' }) refCode!: string;
  @Column({ type: 'text', name: 'sponsor_id', nullable: true }) sponsorId!: GamerId | null;
  /** False from the reservation of the row until the ledger has enrolled the gamer. */
  @Column({ type: 'boolean' }) enrolled!: boolean;
  @Column({ type: 'timestamptz', name: 'created_at' }) createdAt!: Date;
}

/** An account that is not enrolled yet, with an id and a code of its own unless they are given. */
export const newAccount = (
  fields: Pick<Account, 'gamerTag' | 'email' | 'passwordHash' | 'role'> & Partial<Account>,
) => ({
  gamerId: randomGamerId(),
  refCode: randomRefCode(),
  sponsorId: null,
  enrolled: false,
  createdAt: new Date(),
  ...fields,
});

/** Whether a reader of the current email's mailbox followed a mailed link. */
export const isConfirmed = ({ email, confirmedMailbox }: Account): boolean => confirmedMailbox === mailboxOf(email);

/** A rename on another node shows on this one within this time, even when its notification gets lost. */
const TAG_TTL_MS = 10_000;
const RESTORE_BATCH = 500;
const PAGE_SIZE = 200;

export type AccountEdit = Partial<Pick<Account, 'gamerTag' | 'email' | 'role' | 'passwordHash'>>;

type CachedGamer = Pick<SessionGamer, 'gamerId' | 'gamerTag' | 'role'> & { hasSecondFactor: boolean };

/** The EntityManager of an open transaction. */
export type Transaction = EntityManager;
/** Records a change in its transaction; `edit`: the row's values after it. */
export type RecordChange<R> = (transaction: Transaction) => Promise<R & { edit: AccountEdit }>;

/** The table `auth.accounts`; no other file reads or writes it. */
@Injectable()
export class AccountsStore implements SessionGamers {
  private readonly accounts: Repository<Account>;
  private readonly gamers: FreshRows<CachedGamer>;
  private readonly tags = new LRUCache<GamerId, string>({ ttl: TAG_TTL_MS, max: MAX_CACHED, noDeleteOnStaleGet: true });
  /** The ids of accounts whose tag or role changed on any node, or that were deleted. */
  readonly changed = new Subject<GamerId>();

  constructor(
    tables: EntityManager,
    private readonly priorityPool: PriorityPool,
    private readonly config: Config,
    private readonly ledger: Ledger,
    listener: Listener,
  ) {
    this.accounts = tables.getRepository(Account);
    this.gamers = new FreshRows(
      listener,
      'auth_accounts',
      (gamerId) => this.readGamer(gamerId),
      (gamerId) => this.changed.next(gamerId),
    );
    this.changed.subscribe((gamerId) => this.tags.delete(gamerId));
  }

  /** The session's gamer; null when there is none. A promise only when a row must be read. */
  gamerOfSession(session: Session | null): SessionGamer | null | Promise<SessionGamer | null> {
    if (!session) return null;
    const found = this.gamers.get(session.gamerId);
    return found instanceof Promise
      ? found.then((gamer) => this.inSession(session, gamer))
      : this.inSession(session, found);
  }

  private inSession(session: Session, gamer: CachedGamer | null): SessionGamer | null {
    if (!gamer) return null;
    const { gamerId, gamerTag, role } = gamer;
    if (!isStaff(role)) return { gamerId, gamerTag, role, needsSecondFactor: false, powers: [] };
    // This session began just before the role changed, and would last 30 days.
    if (!session.isStaff) return null;
    const needsSecondFactor = !session.hasSecondFactor && (gamer.hasSecondFactor || this.config.isHttpsOnly);
    return { gamerId, gamerTag, role, needsSecondFactor, powers: this.powersOf(gamerId, role) };
  }

  /** An operator's powers, which are the ledger's: it decides by them too. */
  powersOf(gamerId: GamerId, role: Role | undefined): readonly Power[] {
    return role === 'operator' ? this.ledger.ask(powersOf, gamerId) : [];
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

  /** The account that a login names. No GamerTag has an @. */
  findByTagOrEmail(name: string): Promise<Account | null> {
    return name.includes('@') ? this.accounts.findOneBy({ emailKey: canonicalEmail(name) }) : this.findByTag(name);
  }

  /** Ignores case: stored codes are upper case. */
  findByRefCode(refCode: string): Promise<Account | null> {
    return this.accounts.findOneBy({ refCode: refCode.trim().toUpperCase() });
  }

  findAdmin(): Promise<Account | null> {
    return this.accounts.findOne({ where: { role: 'admin' }, order: { createdAt: 'ASC' } });
  }

  /** Reserves tag, email and referral code. Throws Refused when the tag or the email is taken. */
  async reserve(account: Account): Promise<void> {
    await this.accounts.insert(withEmailKey(account)).catch(refuseTaken);
  }

  /**
   * Changes an account and records the change in one transaction. The row is locked while `record` runs, and gets the `edit` that it
   * returns. Throws Refused when there is no such account, or the tag or the email is taken.
   */
  async change<R>(gamerId: GamerId, edit: AccountEdit, record: RecordChange<R>) {
    try {
      return await this.accounts.manager.transaction(async (tables) => {
        const { affected } = await tables.update(Account, { gamerId }, withEmailKey(edit));
        if (affected !== 1) throw new Refused('gamer-not-found');
        const recorded = await record(tables);
        await tables.update(Account, { gamerId }, withEmailKey(recorded.edit));
        return recorded;
      });
    } catch (error) {
      return refuseTaken(error);
    } finally {
      this.forget(gamerId);
    }
  }

  /** Deletes an account and the rows that refer to it. Idempotent. */
  async erase(gamerId: GamerId): Promise<void> {
    await this.accounts.delete({ gamerId });
    this.forget(gamerId);
  }

  forget(gamerId: GamerId): void {
    this.gamers.forget(gamerId);
    this.tags.delete(gamerId);
  }

  /** The current roles of the gamers of these sessions, by session id, uncached; a session that has ended is left out. */
  async rolesIn(sids: readonly string[]): Promise<Map<string, Role>> {
    const { rows } = await this.priorityPool.query<{ sid: string; role: Role }>(
      `SELECT sid, role FROM auth.sessions JOIN auth.accounts ON gamer_id = sess->>'gamerId'
       WHERE sid = ANY($1) AND expire > now()`,
      [sids],
    );
    return new Map(rows.map(({ sid, role }) => [sid, role]));
  }

  /** Sets fields that the event log does not have. */
  async set(gamerId: GamerId, fields: Partial<Pick<Account, 'confirmedMailbox' | 'enrolled' | 'passwordHash'>>) {
    await this.accounts.update({ gamerId }, fields);
  }

  /** The gamers, this one included, who confirmed the mailbox that this gamer confirmed; empty when this gamer confirmed none. */
  withMailboxOf(gamerId: GamerId): Promise<Pick<Account, 'gamerId' | 'gamerTag'>[]> {
    return this.accounts.query(
      `SELECT gamer_id AS "gamerId", gamer_tag AS "gamerTag" FROM auth.accounts WHERE role = 'gamer' AND confirmed_mailbox =
         (SELECT confirmed_mailbox FROM auth.accounts WHERE gamer_id = $1) ORDER BY created_at`,
      [gamerId],
    );
  }

  /** The accounts that are not enrolled yet, read page by page: after a restore these are all accounts. */
  async *notEnrolled(): AsyncIterable<Account> {
    let page: Account[] = [];
    do {
      const where = { enrolled: false, gamerId: MoreThan(page.at(-1)?.gamerId ?? '') };
      page = await this.accounts.find({ where, order: { gamerId: 'ASC' }, take: PAGE_SIZE });
      yield* page;
    } while (page.length === PAGE_SIZE);
  }

  /** Inserts all accounts in one transaction, skipping rows whose tag, email or code is taken. */
  restore(accounts: readonly Account[]): Promise<void> {
    return this.accounts.manager.transaction(async (tables) => {
      for (let from = 0; from < accounts.length; from += RESTORE_BATCH) {
        const batch = accounts.slice(from, from + RESTORE_BATCH).map(withEmailKey);
        await tables.createQueryBuilder().insert().into(Account).values(batch).orIgnore().execute();
      }
    });
  }

  /** The tags of these gamers, at most ten seconds old; ids without an account are left out. */
  async tagsOf(gamerIds: readonly GamerId[]): Promise<Map<GamerId, string>> {
    const missing = gamerIds.filter((gamerId) => !this.tags.has(gamerId));
    if (missing.length > 0) {
      const { rows } = await this.priorityPool.query<Pick<Account, 'gamerId' | 'gamerTag'>>(
        'SELECT gamer_id AS "gamerId", gamer_tag AS "gamerTag" FROM auth.accounts WHERE gamer_id = ANY($1)',
        [missing],
      );
      for (const gamerId of missing) this.tags.delete(gamerId);
      for (const { gamerId, gamerTag } of rows) this.tags.set(gamerId, gamerTag);
    }
    return this.rememberedTagsOf(gamerIds);
  }

  /** The tags this node knows from memory, however old; for when Postgres is unavailable. */
  rememberedTagsOf(gamerIds: readonly GamerId[]): Map<GamerId, string> {
    const tags = gamerIds.map((gamerId) => [gamerId, this.tags.get(gamerId, { allowStale: true })] as const);
    return new Map(tags.filter((entry): entry is [GamerId, string] => entry[1] !== undefined));
  }

  private async readGamer(gamerId: GamerId): Promise<CachedGamer | null> {
    const { rows } = await this.priorityPool.query<CachedGamer>(
      `SELECT gamer_id AS "gamerId", gamer_tag AS "gamerTag", role, EXISTS (
         SELECT FROM auth.second_factors WHERE gamer_id = account.gamer_id AND secret IS NOT NULL
       ) AS "hasSecondFactor" FROM auth.accounts AS account WHERE gamer_id = $1`,
      [gamerId],
    );
    const [gamer = null] = rows;
    if (gamer) this.tags.set(gamerId, gamer.gamerTag);
    return gamer;
  }
}

const withEmailKey = <Edit extends AccountEdit>(edit: Edit): Edit & { emailKey?: string } =>
  edit.email === undefined ? edit : { ...edit, emailKey: canonicalEmail(edit.email) };

function refuseTaken(error: unknown): never {
  const { constraint } = error instanceof QueryFailedError ? (error.driverError as { constraint?: string }) : {};
  if (constraint === 'accounts_gamer_tag') throw new Refused('gamer-tag-taken');
  if (constraint === 'accounts_email') throw new Refused('email-taken');
  throw error;
}
