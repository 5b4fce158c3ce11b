import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerEvent } from '../../../../contracts/events/gamer-events.js';
import { type GamerId, isStaff, type Power, type Role } from '../../../../contracts/ids.js';
import { versionOf } from '../../../../contracts/versions.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { adminOf, hasStaffStatus, powersOf } from '../../../../domain/staff.js';
import { messageAt } from '../../http/position.interceptors.js';
import { SessionStore } from '../../http/sessions.store.js';
import { Ledger } from '../../ledger/ledger.js';
import { StreamCommands } from '../../ledger/stream-commands.js';
import { Refused } from '../../platform/failures.js';
import { emailRefusal, newTagRefusal } from './account.rules.js';
import { AccountMails } from './account-mails.js';
import { type AccountEdit, AccountsStore, type RecordChange, type Transaction } from './accounts.store.js';
import { ExcludedMailboxes } from './excluded-mailboxes.store.js';
import { type GamerIdentity, GamerLog, onGamer } from './gamer-log.js';
import { type MailedLink, MailedLinks } from './mailed-links.store.js';

/** An append with an unknown outcome is in the log after this time, or never will be. */
const REPAIRED_AFTER_MS = 60_000;

type ProfileEdit = Pick<AccountEdit, 'gamerTag' | 'email'>;

/** Changes accounts: first the event, then the row. A change that failed is in `auth.account_changes` until `finish` repairs it. */
@Injectable()
export class AccountChanges {
  private readonly logger = new Logger('accounts');

  constructor(
    private readonly pool: Pool,
    private readonly accounts: AccountsStore,
    private readonly gamerLog: GamerLog,
    private readonly mailboxes: ExcludedMailboxes,
    private readonly streams: StreamCommands,
    private readonly sessions: SessionStore,
    private readonly links: MailedLinks,
    private readonly mails: AccountMails,
    private readonly ledger: Ledger,
  ) {}

  /** Changes tag, email or both, and uses the link up. Returns the event's position. Throws Refused or Unavailable. */
  async changeProfile(gamerId: GamerId, edit: ProfileEdit, metadata: CommandMetadata, link?: MailedLink) {
    const { position, former } = await this.change(gamerId, edit, async (tables) => {
      if (link) await this.links.use(link, tables);
      const { events, state, position } = await this.streams.execute({
        ...onGamer(gamerId, (identity) => ({ events: editsOf(gamerId, identity, edit) })),
        version: (identity) => versionOf(identity?.gamerTag, identity?.email),
        metadata,
        content: { type: 'EditProfile', gamerTag: edit.gamerTag ?? null, email: edit.email ?? null },
      });
      const changed = events.find((event) => event.type === 'EmailChanged');
      // Links already mailed went to the former address, or were requested from it.
      if (changed) await this.links.dropAllOf(gamerId, tables);
      const former = changed && { gamerTag: state?.gamerTag ?? '', email: changed.data.emailBefore };
      return { position, former, edit: state ? { gamerTag: state.gamerTag, email: state.email } : edit };
    });
    if (former) this.mails.post(former, 'email-changed');
    return position;
  }

  async editProfile(gamerId: GamerId, edit: ProfileEdit, metadata: CommandMetadata) {
    const account = await this.accounts.findById(gamerId);
    if (!account) throw new Refused('gamer-not-found');
    if (edit.gamerTag === undefined && edit.email === undefined) throw new Refused('all-fields-required');
    const { gamerTag = account.gamerTag, email = account.email } = edit;
    // Only a changed field must follow the rules: the admin's own tag is a reserved one.
    const code =
      (gamerTag === account.gamerTag ? null : newTagRefusal(gamerTag)) ??
      (email === account.email ? null : emailRefusal(email));
    if (code) throw new Refused(code);
    if (email !== account.email) await this.mailboxes.mustNotBeBarred(email, gamerId);
    const position = await this.changeProfile(gamerId, edit, metadata);
    return messageAt(position, 'The profile is saved');
  }

  /** The ledger makes staff of the gamer before the role begins, and ends it after (decision 47). `powers`: an operator's, else empty. */
  async changeRole(
    { gamerId, role, powers }: { gamerId: GamerId; role: Exclude<Role, 'admin'>; powers: readonly Power[] },
    { expectedVersion, ...metadata }: CommandMetadata,
  ) {
    const setStaff = (isStaff: boolean) =>
      this.ledger.execute({ type: 'SetStaffStatus', gamerId, isStaff, powers }, metadata);
    const { position } = await this.change(gamerId, { role }, async (tables) => {
      const before = await this.accounts.findById(gamerId);
      const versionNow = versionOf(before?.role, this.ledger.ask(powersOf, gamerId));
      if (expectedVersion !== undefined && expectedVersion !== versionNow)
        // Only the admin changes roles.
        throw new Refused({ code: 'changed-meanwhile', parameters: { by: metadata.actor.id } });
      if (isStaff(role)) {
        await setStaff(true);
        await this.sessions.limitAsStaff(gamerId);
        // A gamer's password was enough to request them; staff need a step-up.
        await this.links.dropAllOf(gamerId, tables);
      }
      const recorded = await this.streams.execute({
        ...onGamer(gamerId, ({ role: roleBefore }) => {
          if (roleBefore === 'admin') return { refusal: { code: 'admin-role-is-fixed' } };
          if (roleBefore === role) return { events: [] };
          return { events: [{ type: 'RoleChanged', data: { gamerId, role, roleBefore } }] };
        }),
        metadata,
        content: { type: 'ChangeRole', role, powers: powers.join() },
      });
      const roleNow = recorded.state?.role ?? role;
      const { position } = roleNow === 'gamer' ? await setStaff(false) : recorded;
      return { position, edit: { role: roleNow } };
    });
    return messageAt(position, `The role is ${role}`);
  }

  /** Changes an account. A change that fails after it began to record is finished later: the ledger may have taken the role already. */
  private change<R>(gamerId: GamerId, wanted: AccountEdit, record: RecordChange<R>) {
    return this.accounts.change(gamerId, wanted, async (tables) => {
      const id = randomUUID();
      // Committed at once, before anything is appended.
      await this.pool.query('INSERT INTO auth.account_changes (id, gamer_id) VALUES ($1, $2)', [id, gamerId]);
      const recorded = await record(tables);
      await end([id], tables);
      return recorded;
    });
  }

  /** Finishes the changes that began this long ago. One that cannot be finished yet is tried again at the next call. */
  async finish(afterMs = REPAIRED_AFTER_MS): Promise<void> {
    const { rows } = await this.pool.query<{ gamerId: GamerId; ids: string[] }>(
      `SELECT gamer_id AS "gamerId", array_agg(id) AS ids FROM auth.account_changes
       WHERE begun_at <= clock_timestamp() - $1 * interval '1 ms' GROUP BY gamer_id ORDER BY min(begun_at)`,
      [afterMs],
    );
    for (const { gamerId, ids } of rows)
      await this.followLog(gamerId, ids).catch(({ message }: Error) =>
        this.logger.error(`the account of ${gamerId} cannot follow the log yet: ${message}`),
      );
  }

  private async followLog(gamerId: GamerId, changeIds: readonly string[]): Promise<void> {
    const identity = await this.gamerLog.identityOf(gamerId);
    if (identity === null) {
      // The account is deleted.
      await this.pool.query('DELETE FROM auth.account_changes WHERE gamer_id = $1', [gamerId]);
      return;
    }
    await this.accounts.change(gamerId, identity, async (tables) => {
      // The row is locked now: no other change can begin.
      const latest = (await this.gamerLog.identityOf(gamerId)) ?? identity;
      if (isStaff(latest.role)) {
        // A gamer's password was enough to request these links, so they are dropped, as when the role changes.
        await this.links.dropAllOf(gamerId, tables);
      }
      if (latest.role !== 'admin') await this.followRole(gamerId, latest.role);
      await end(changeIds, tables);
      return { edit: latest };
    });
  }

  /** Sets the staff status in the ledger, in the admin's name, because nobody else may. */
  private async followRole(gamerId: GamerId, role: Exclude<Role, 'admin'>): Promise<void> {
    const adminId = this.ledger.ask(adminOf);
    const isStaffNow = this.ledger.ask(hasStaffStatus, gamerId);
    const hasPowersOfOperator = role !== 'operator' && this.ledger.ask(powersOf, gamerId).length > 0;
    if (adminId === null || (isStaffNow === isStaff(role) && !hasPowersOfOperator)) return;
    const metadata = { actor: { id: adminId, role: 'admin' } as const, commandId: randomUUID() };
    // An operator's powers stay: only the ledger knows them.
    const change = { gamerId, isStaff: isStaff(role), ...(role !== 'operator' && { powers: [] }) };
    await this.ledger.execute({ type: 'SetStaffStatus', ...change }, metadata);
  }
}

/** Deletes the changes in the transaction that changes the row, so that both are committed or neither. */
async function end(changeIds: readonly string[], transaction: Transaction): Promise<void> {
  await transaction.query('DELETE FROM auth.account_changes WHERE id = ANY ($1)', [changeIds]);
}

function editsOf(gamerId: GamerId, identity: GamerIdentity, edit: ProfileEdit): GamerEvent[] {
  const { gamerTag = identity.gamerTag, email = identity.email } = edit;
  const events: GamerEvent[] = [];
  if (gamerTag !== identity.gamerTag)
    events.push({ type: 'GamerRenamed', data: { gamerId, gamerTag, gamerTagBefore: identity.gamerTag } });
  if (email !== identity.email)
    events.push({ type: 'EmailChanged', data: { gamerId, email, emailBefore: identity.email } });
  return events;
}
